/** Shapes of rooms whose schema has not landed yet, as the contract gives them. */
import type { Thumbnails } from './contract'

export interface Licence {
  code: string
  name: string
  url: string
}

export interface CatalogueImage {
  id: number
  key: string
  digest: string
  width: number
  height: number
  format: string
  licence: Licence
  author: string
  title: string
  source_url: string
  attribution: string
  thumbnail: Thumbnails
  created_at: string
}

export interface ImageDetail extends CatalogueImage {
  phash: string
  notes: string[]
  n_bytes: number
  /** Null for everybody but curators. */
  original_url: string | null
}

export interface Upload {
  id: string
  files: { name: string; n_bytes: number }[]
  detected_layout: string
}

export interface ReleaseFile {
  name: string
  n_bytes: number
  sha256: string
  url: string
}

export interface Release {
  id: string
  version: number
  created_at: string
  created_by: string | null
  n_images: number
  n_captions: number
  n_judgments: number
  digest: string
  files: ReleaseFile[]
}

/** One release with what it was made from. */
export interface ReleaseDetail extends Release {
  project: string
  manifest: Record<string, unknown>
}

export interface ReleaseCaption {
  key: string
  text: string
  n_good: number
  n_bad: number
  n_unsure: number
}

export interface ReleaseEntry {
  position: number
  image: {
    digest: string
    key: string
    width: number
    height: number
    licence: string
    attribution: string
    /** Null where the picture itself is gone; its words stay. */
    thumbnail: Thumbnails | null
  }
  captions: ReleaseCaption[]
  mean_similarity: number | null
  method: string
}

import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { CatalogueImage, ImageCounts, ImageMarks } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/catalogue'
import type { Tile } from '../state/justify'
import { creditOf, nameOf } from '../state/picture-words'
import styles from './gallery.module.css'

export interface GalleryTileProps {
  slug: string
  image: CatalogueImage
  tile: Tile
  top: number
  height: number
  total: number
  /** The one tile that Tab stops at. */
  isReachable: boolean
  counts: ImageCounts | undefined
  marks: ImageMarks | undefined
  onFocus: () => void
}

/** A photograph; who made it and under what licence is said quietly when it is looked at. */
export const GalleryTile = memo(function GalleryTile(props: GalleryTileProps) {
  const { slug, image, tile, top, height, total, isReachable, counts, marks, onFocus } = props
  const { small, large } = image.thumbnail
  return (
    <li
      className={styles.tile}
      aria-posinset={tile.index + 1}
      aria-setsize={total}
      style={{ insetInlineStart: tile.left, transform: `translateY(${top}px)`, width: tile.width, height }}
    >
      <Link
        to="/projects/$slug/images/$imageId"
        params={{ slug, imageId: String(image.id) }}
        className={styles.link}
        data-tile={tile.index}
        tabIndex={isReachable ? 0 : -1}
        preload={false}
        onFocus={onFocus}
      >
        <img
          ref={dropWhenGone}
          src={tile.width > small.width ? large.url : small.url}
          alt={nameOf(image)}
          loading="lazy"
          decoding="async"
          draggable={false}
        />
        {marks && <Badges marks={marks} />}
        <span className={styles.credit}>
          <span className={styles.author} aria-hidden={creditOf(image) === nameOf(image) || undefined}>
            {creditOf(image)}
          </span>
          <span>
            {image.licence.code}
            {counts &&
              t.captionsKeptOf({ nKept: formatCount(counts.n_kept), nCandidates: formatCount(counts.n_candidates) })}
          </span>
        </span>
      </Link>
    </li>
  )
}, isSameTile)

/** A picture scrolled past before it came would still be fetched, and those on the screen would wait behind it. */
function dropWhenGone(picture: HTMLImageElement | null) {
  // React lets go of an element just before it takes it out of the page, and in development also when it does not.
  return () =>
    queueMicrotask(() => {
      if (picture && !picture.isConnected && !picture.complete) picture.removeAttribute('src')
    })
}

/** Everything but the handler, which is new at every drawing and always does the same. */
function isSameTile(before: GalleryTileProps, now: GalleryTileProps): boolean {
  return (
    before.image === now.image &&
    before.top === now.top &&
    before.height === now.height &&
    before.tile.left === now.tile.left &&
    before.tile.width === now.tile.width &&
    before.tile.index === now.tile.index &&
    before.isReachable === now.isReachable &&
    before.counts === now.counts &&
    before.marks === now.marks &&
    before.total === now.total
  )
}

/** What is known of the image, readable without a pointer on it. */
function Badges({ marks: { n_selected: chosen, n_disputed: disputed, n_hits: hits, n_assignments: done } }: { marks: ImageMarks }) {
  const isUnjudged = hits > 0 && done === 0
  if (chosen === 0 && disputed === 0 && !isUnjudged) return null
  return (
    <span className={styles.badges}>
      {chosen > 0 && <span className={styles.badge}>{t.nChosen({ n: chosen })}</span>}
      {disputed > 0 && <span className={styles.badge}>{t.nDisputed({ n: disputed })}</span>}
      {isUnjudged && <span className={styles.badge}>{t.notJudged}</span>}
    </span>
  )
}

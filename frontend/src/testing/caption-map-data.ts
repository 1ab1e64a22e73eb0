import type { MapColumns } from '@/lib/api/served'

/** Two images and four captions, as backend/methods/map_points.py packs them. */
export function packed(): ArrayBuffer {
  const ids = [11, 12, 101, 102, 103, 104]
  const bytes = new ArrayBuffer(16 + ids.length * 20 + 4 * 4)
  const view = new DataView(bytes)
  Array.from('CONMAP1').forEach((letter, at) => view.setUint8(at, letter.charCodeAt(0)))
  view.setUint32(8, 2, true)
  view.setUint32(12, 4, true)
  ids.forEach((id, at) => {
    view.setFloat64(16 + 8 * at, id, true)
    view.setFloat32(16 + 8 * ids.length + 4 * at, at, true)
    view.setFloat32(16 + 12 * ids.length + 4 * at, -at, true)
    view.setInt32(16 + 16 * ids.length + 4 * at, at % 2 ? -1 : 0, true)
  })
  return bytes
}

const category = (name: MapColumns['caption_columns'][number]['name'], values: string[], codes: number[]) => ({
  name,
  values,
  codes,
  numbers: null,
})

export const columns: MapColumns = {
  digest: 'd',
  keys: ['photo-11', 'photo-12'],
  image_columns: [category('difficulty', ['easy', 'medium', 'hard', 'unrated'], [2, -1])],
  texts: ['A harbour asleep', 'The sea breathes', 'Two boats', ''],
  images: [0, 0, 1, 1],
  caption_columns: [
    category('difficulty', ['easy', 'medium', 'hard', 'unrated'], [2, 0, -1, -1]),
    category('source', ['human', 'web'], [0, 1, 1, -1]),
    { name: 'votes', values: null, codes: null, numbers: [3, 3, 5, null] },
  ],
  n_images_missing: 0,
  n_captions_missing: 2,
  n_captions_changed: 0,
}

export const map = {
  n_images: 2,
  n_captions: 4,
  n_left_out: 0,
  settings: {},
  versions: {},
  image_model: 'postcards-vision',
  text_model: 'minilm',
  digest: 'd',
  made_at: '2026-01-05T10:00:00Z',
}

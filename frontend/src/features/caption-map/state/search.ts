import type { Layer, MapData } from '@/lib/caption-map/map-data'

const lowered = new WeakMap<Layer, { texts: string[]; keys: string[] }>()

/** Texts and keys in small letters, made by the first search. */
function wordsOf(layer: Layer) {
  const known = lowered.get(layer)
  if (known) return known
  const places = Array.from(layer.ids.keys())
  const words = {
    texts: places.map((index) => layer.textOf(index).toLowerCase()),
    keys: places.map((index) => layer.keyOf(index).toLowerCase()),
  }
  lowered.set(layer, words)
  return words
}

/**
 * The points that a search finds, null where nothing is asked: captions by their words or their image's key, images by
 * their key or the words of a caption.
 */
export function search({ captions, images }: MapData, layer: Layer, asked: string): Uint8Array | null {
  const wanted = asked.trim().toLowerCase()
  if (!wanted) return null
  const { texts, keys } = wordsOf(captions)
  const found = new Uint8Array(layer.ids.length)
  for (let caption = 0; caption < texts.length; caption += 1) {
    const isFound = (texts[caption]?.includes(wanted) ?? false) || (keys[caption]?.includes(wanted) ?? false)
    const at = layer.kind === 'captions' ? caption : captions.imageOf(caption)
    if (isFound && at !== null) found[at] = 1
  }
  if (layer.kind === 'images')
    wordsOf(images).keys.forEach((key, image) => {
      if (key.includes(wanted)) found[image] = 1
    })
  return found
}

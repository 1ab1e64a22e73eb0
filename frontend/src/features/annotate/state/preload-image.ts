import type { Assignment } from '@/lib/api/contract'

const imagePatienceMs = 400
/** What is decoded stays so only while somebody holds it. */
const mostKept = 24
let kept: readonly HTMLImageElement[] = []

/** Loads and decodes a photograph so that showing it costs nothing; gives up waiting, never the loading. */
export async function preloadImage(url: string, patienceMs: number): Promise<void> {
  const image = new Image()
  image.src = url
  kept = [image, ...kept].slice(0, mostKept)
  const decoded = image.decode().catch(() => undefined)
  await Promise.race([decoded, new Promise((resolve) => setTimeout(resolve, patienceMs))])
}

/** Every picture of a HIT: the photograph of its captions, or the photographs of its query. */
export async function preloadAssignment({ image, items }: Assignment): Promise<void> {
  const pictures = [image, ...items.map((item) => item.image)].filter((picture) => picture !== null)
  await Promise.all(pictures.map(({ thumbnail }) => preloadImage(thumbnail.large.url, imagePatienceMs)))
}

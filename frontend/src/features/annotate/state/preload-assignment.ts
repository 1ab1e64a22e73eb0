import type { Assignment } from '@/lib/api/contract'
import { preloadImage } from '@/lib/images/preload-image'

const imagePatienceMs = 400

/** Every picture of a HIT: the photograph of its captions, or the photographs of its query. */
export async function preloadAssignment({ image, items }: Assignment): Promise<void> {
  const pictures = [image, ...items.map((item) => item.image)].filter((picture) => picture !== null)
  await Promise.all(pictures.map(({ thumbnail }) => preloadImage(thumbnail.large.url, imagePatienceMs)))
}

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

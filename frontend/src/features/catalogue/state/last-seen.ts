/** The photograph last looked at in each project, so that the gallery opens where the eyes were. */
const seen = new Map<string, number>()

export const rememberSeen = (slug: string, imageId: number): void => {
  seen.set(slug, imageId)
}

/** Taken once: a later visit from elsewhere begins at the top. */
export function takeSeen(slug: string): number | undefined {
  const imageId = seen.get(slug)
  seen.delete(slug)
  return imageId
}

/** A page of a list that says when it was asked for, in ms: what was decided later is not in it. */
export type Asked<Page> = Page & { asked_at: number }

export async function withAskedAt<Page extends object>(answer: Promise<Page>): Promise<Asked<Page>> {
  const asked_at = Date.now()
  return { ...(await answer), asked_at }
}

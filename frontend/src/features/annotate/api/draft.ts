import { api, beside, unwrap } from '@/lib/api/client'
import type { components } from '@/lib/api/schema'

export type ServedDraft = components['schemas']['DraftIO']

/** What the server keeps of a HIT in work, from whichever machine. */
export async function getDraft(id: string): Promise<ServedDraft | null> {
  const { draft } = await unwrap(
    api.GET('/api/v1/assignments/{assignment_id}/draft', { params: { path: { assignment_id: id } } }),
  )
  return draft
}

/** `isLeaving`: the page may be gone before the answer. */
export async function putDraft(id: string, draft: ServedDraft, isLeaving: boolean): Promise<void> {
  await api.PUT('/api/v1/assignments/{assignment_id}/draft', {
    ...beside,
    params: { path: { assignment_id: id } },
    body: draft,
    keepalive: isLeaving,
  })
}

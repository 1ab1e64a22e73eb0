import { api, unwrap } from '@/lib/api/client'
import type { Case, Decided, DecidedMany, Decision, SentDecisions } from './shapes'

const base = '/api/v1/projects/{slug}/review' as const

export const sendDecision = (slug: string, case_id: number, body: Decision): Promise<Decided> =>
  unwrap(
    api.POST(`${base}/cases/{case_id}/decisions`, {
      params: { path: { slug, case_id } },
      body: {
        ...{ text: '', k: 1, ...body },
        items: (body.items ?? []).map((item) => ({ reason: '' as const, note: '', ...item })),
      },
    }),
  )

/** The same decision on many cases of pairs. */
export const sendDecisions = (slug: string, body: Omit<SentDecisions, 'k'> & { k?: number }): Promise<DecidedMany> =>
  unwrap(api.POST(`${base}/decisions`, { params: { path: { slug } }, body: { k: 1, ...body } }))

export const sendUndo = (slug: string, token: string): Promise<Case> =>
  unwrap(api.POST(`${base}/undo`, { params: { path: { slug } }, body: { token } }))

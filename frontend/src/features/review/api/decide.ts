import { api, unwrap } from '@/lib/api/client'
import type { Case, Decided, Decision } from './shapes'

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

export const sendUndo = (slug: string, token: string): Promise<Case> =>
  unwrap(api.POST(`${base}/undo`, { params: { path: { slug } }, body: { token } }))

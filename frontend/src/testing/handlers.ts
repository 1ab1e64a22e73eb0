import { http, HttpResponse } from 'msw'
import type { Assignment, NextAssignment, NextAssignmentIn } from '@/lib/api/contract'
import { assignment, bob, harbour, ownDays, progress } from './data'

/** The server as tests first meet it: bob is signed in and one photograph waits for him. */
export const handlers = [
  // A map asks when it rests, which may be after its test has ended.
  http.get('*/map/thumbnails', () => HttpResponse.json([])),
  http.get('*/api/v1/session', () => HttpResponse.json({ user: bob, sign_up_open: false })),
  http.get('*/api/v1/projects/:slug/images', () => HttpResponse.json({ next: null, previous: null, results: [] })),
  http.get('*/api/v1/projects/:slug/overview', () => refusal(404, 'not_found', 'Not found, or you have no access.')),
  http.get('*/api/v1/projects', () => HttpResponse.json({ next: null, previous: null, results: [harbour] })),
  http.get('*/api/v1/projects/:slug', () => HttpResponse.json(harbour)),
  http.get('*/api/v1/projects/:slug/progress', () => HttpResponse.json(progress)),
  http.get('*/api/v1/projects/:slug/guidelines/examples', () => HttpResponse.json({ version: 1, examples: [] })),
  http.get('*/api/v1/projects/:slug/past-work', () => HttpResponse.json({ next: null, previous: null, results: [] })),
  http.get('*/api/v1/projects/:slug/past-work/days', () => HttpResponse.json({ days: ownDays() })),
  http.get('*/api/v1/projects/:slug/inbox', () => HttpResponse.json({ next: null, previous: null, results: [] })),
  http.get('*/api/v1/projects/:slug/inbox/unread', () => HttpResponse.json({ n_unread: 0 })),
  http.post('*/api/v1/projects/:slug/inbox/seen', () => HttpResponse.json({ n_unread: 0 })),
  http.get('*/api/v1/projects/:slug/feedback/counts', () => HttpResponse.json({ n_waiting: 0 })),
  // A case is given back as its page closes, when a test is over.
  http.delete('*/api/v1/projects/:slug/review/cases/:id/lease', () => new HttpResponse(null, { status: 204 })),
  http.post('*/api/v1/projects/:slug/assignments/next', async ({ request }) =>
    HttpResponse.json(nextOf(await request.json(), assignment())),
  ),
  http.get('*/api/v1/assignments/:id/suggestions', () => HttpResponse.json({ items: [] })),
  http.get('*/api/v1/assignments/:id/draft', () => HttpResponse.json({ draft: null })),
  http.put('*/api/v1/assignments/:id/draft', () => new HttpResponse(null, { status: 204 })),
  http.post('*/api/v1/assignments/:id/submit', () =>
    HttpResponse.json({ submitted_at: new Date().toISOString(), is_late: false, next: null, reason: 'none_left' }),
  ),
]

/** The first of these HITs that is not in hand already, as the server answers `next`. */
export function nextOf(body: unknown, ...waiting: Assignment[]): NextAssignment {
  const { holding = [] } = body as NextAssignmentIn
  const found = waiting.find(({ id }) => !holding.includes(id)) ?? null
  return { assignment: found, reason: found ? null : 'none_left' }
}

/** A refusal in the shape of the server; lists of sentences in the details are about fields. */
export function refusal(status: number, code: string, message: string, details: Record<string, unknown> | null = null) {
  const lists = Object.entries(details ?? {}).filter(([, said]) => Array.isArray(said))
  const fields = Object.fromEntries(lists.map(([field, said]) => [field, (said as string[]).map(withoutCode)]))
  return HttpResponse.json({ code, message, details, request_id: 'req-1', fields }, { status })
}

const withoutCode = (message: string) => ({ code: '', message, params: {} })

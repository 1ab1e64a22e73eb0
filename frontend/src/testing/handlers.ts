import { http, HttpResponse } from 'msw'
import { assignment, bob, harbour, progress } from './data'

/** The server as tests first meet it: bob is signed in and one photograph waits for him. */
export const handlers = [
  http.get('*/api/v1/session', () => HttpResponse.json({ user: bob, sign_up_open: false })),
  http.get('*/api/v1/projects', () => HttpResponse.json({ next: null, previous: null, results: [harbour] })),
  http.get('*/api/v1/projects/:slug', () => HttpResponse.json(harbour)),
  http.get('*/api/v1/projects/:slug/progress', () => HttpResponse.json(progress)),
  http.post('*/api/v1/projects/:slug/assignments/next', () =>
    HttpResponse.json({ assignment: assignment(), reason: null }),
  ),
  http.post('*/api/v1/assignments/:id/submit', () =>
    HttpResponse.json({ submitted_at: new Date().toISOString(), next: null, reason: 'none_left' }),
  ),
]

/** A refusal in the shape of the server. */
export function refusal(status: number, code: string, message: string, details: Record<string, unknown> | null = null) {
  return HttpResponse.json({ code, message, details, request_id: 'req-1' }, { status })
}

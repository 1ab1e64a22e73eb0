import { http, HttpResponse } from 'msw'
import type { Assignment, SubmitIn } from '@/lib/api/contract'
import { assignment, item } from './data'
import { nextOf } from './handlers'
import { server } from './server'

/** HITs that wait behind the first one. */
export const second = assignment({ id: 'second', items: [item(1, { text: 'Rain, later.' })] })
export const third = assignment({ id: 'third', items: [item(1, { text: 'A slow boat.' })] })

export interface Sent {
  key: string | null
  body: SubmitIn
}

/** Answers each submit with the next of these; the last one repeats. What was sent is in the list it gives. */
export function answerSubmitsWith(...answers: (() => Response | Promise<Response>)[]): Sent[] {
  const sent: Sent[] = []
  server.use(
    http.post('*/api/v1/assignments/:id/submit', async ({ request }) => {
      sent.push({ key: request.headers.get('Idempotency-Key'), body: (await request.json()) as SubmitIn })
      const answer = answers[Math.min(sent.length, answers.length) - 1]
      return answer ? answer() : HttpResponse.error()
    }),
  )
  return sent
}

export const accepted = (next: Assignment | null = second, is_late = false) =>
  HttpResponse.json({ submitted_at: '2026-03-01T10:00:00Z', is_late, next, reason: next ? null : 'none_left' })

export const unreachable = () => HttpResponse.error()

/** What waits for the person, in this order. */
export function queue(...waiting: Assignment[]): void {
  server.use(
    http.post('*/api/v1/projects/:slug/assignments/next', async ({ request }) =>
      HttpResponse.json(nextOf(await request.json(), ...waiting)),
    ),
  )
}

import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { refusal } from '@/testing/handlers'
import { server } from '@/testing/server'
import { ApiError, asApiError } from './api-error'
import { api, unwrap } from './client'
import { csrfToken } from './csrf'
import { cursorOf } from './cursor'

const signIn = () => unwrap(api.POST('/api/v1/session', { body: { username: 'bob', password: 'x' } }))

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await call.catch((reason: unknown) => reason)
  if (!(error instanceof ApiError)) throw new Error('The call was expected to fail with an ApiError.')
  return error
}

test('a refusal carries the code, the sentence, the details and the request id', async () => {
  server.use(
    http.post('*/api/v1/session', () => refusal(400, 'invalid', 'Check the fields.', { username: ['Too', 'long.'] })),
  )
  const error = await failureOf(signIn())
  expect(error).toMatchObject({ status: 400, code: 'invalid', message: 'Check the fields.', requestId: 'req-1' })
  expect(error.fieldErrors()).toEqual({ username: 'Too long.' })
  expect(error.isPassing).toBe(false)
})

test('an answer that is not ours still becomes a sentence', async () => {
  server.use(http.post('*/api/v1/session', () => new HttpResponse('<h1>Bad gateway</h1>', { status: 502 })))
  const error = await failureOf(signIn())
  expect(error.message).toBe('The server reported an error (502). Try again in a moment.')
  expect(error.isPassing).toBe(true)
})

test('no network is told as being offline', async () => {
  server.use(http.post('*/api/v1/session', () => HttpResponse.error()))
  const error = await failureOf(signIn())
  expect(error.isOffline).toBe(true)
})

test('writes carry the CSRF token of the cookie', async () => {
  document.cookie = 'csrftoken=ab%2Bc'
  let header: string | null = null
  server.use(
    http.post('*/api/v1/session', ({ request }) => {
      header = request.headers.get('X-CSRFToken')
      return HttpResponse.json({ user: null, sign_up_open: false })
    }),
  )
  await signIn()
  expect(header).toBe('ab+c')
})

test('a write that is refused for its token alone fetches another and is sent once more, with all it said', async () => {
  document.cookie = 'csrftoken=old'
  const told: unknown[] = []
  server.use(
    http.get('*/api/v1/session', () => {
      document.cookie = 'csrftoken=new'
      return HttpResponse.json({ user: null, sign_up_open: false })
    }),
    http.post('*/api/v1/session', async ({ request }) => {
      const token = request.headers.get('X-CSRFToken')
      told.push([token, await request.json()])
      if (token !== 'new') return refusal(403, 'csrf_failed', 'Reload.')
      return HttpResponse.json({ user: null, sign_up_open: false })
    }),
  )
  await signIn()
  const said = { username: 'bob', password: 'x' }
  expect(told).toEqual([
    ['old', said],
    ['new', said],
  ])
})

test('a token that stays wrong is tried twice and no more', async () => {
  let tries = 0
  server.use(
    http.get('*/api/v1/session', () => HttpResponse.json({ user: null, sign_up_open: false })),
    http.post('*/api/v1/session', () => {
      tries += 1
      return refusal(403, 'csrf_failed', 'Reload.')
    }),
  )
  expect((await failureOf(signIn())).code).toBe('csrf_failed')
  expect(tries).toBe(2)
})

test('the CSRF cookie is found among others and missed when absent', () => {
  expect(csrfToken('a=1; csrftoken=xyz; b=2')).toBe('xyz')
  expect(csrfToken('notcsrftoken=xyz')).toBeNull()
})

test('the next cursor is read from the address of the next page', () => {
  expect(cursorOf('http://localhost/api/v1/projects?cursor=cD0x&limit=50')).toBe('cD0x')
  expect(cursorOf(null)).toBeUndefined()
})

test('a bug of our own is not blamed on the server', () => {
  expect(asApiError(new TypeError('x is undefined')).code).toBe('unexpected')
})

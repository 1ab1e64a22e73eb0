import createClient, { type Middleware } from 'openapi-fetch'
import { isAttended, noteEnded, signedInAgain } from '@/lib/session/ended-session'
import { errorFromResponse, offlineError } from './api-error'
import { csrfToken } from './csrf'
import type { paths } from './schema'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

function withToken(request: Request): Request {
  const token = csrfToken()
  if (token && !safeMethods.has(request.method)) request.headers.set('X-CSRFToken', token)
  return request
}

/** Adds the CSRF header to writes and turns every refusal into an ApiError. */
const manners: Middleware = {
  onRequest: ({ request }) => withToken(request),
  async onResponse({ response }) {
    if (!response.ok) throw await errorFromResponse(response)
    return undefined
  },
  onError({ error }) {
    return error instanceof DOMException && error.name === 'AbortError' ? error : offlineError()
  },
}

/** The browser has lost the CSRF cookie: it is fetched anew, and what was refused for it alone is sent once more. */
async function fetchWithToken(request: Request): Promise<Response> {
  const again = request.clone()
  const response = await globalThis.fetch(request)
  if (response.status !== 403 || !(await isForToken(response))) return response
  await globalThis.fetch(`${globalThis.location.origin}/api/v1/session`, { credentials: 'same-origin' })
  return globalThis.fetch(withToken(again))
}

const isForToken = async (response: Response): Promise<boolean> =>
  (await errorFromResponse(response)).code === 'csrf_failed'

/** A request that finds the session ended waits for the person to sign in again, and is sent anew then. */
async function fetchInSession(request: Request): Promise<Response> {
  const again = isAttended() ? request.clone() : null
  const response = await fetchWithToken(request)
  if (response.status !== 401 || !again) return response
  if (!(await signedInAgain(!safeMethods.has(request.method)))) return response
  return globalThis.fetch(withToken(again))
}

async function fetchBeside(request: Request): Promise<Response> {
  const response = await fetchWithToken(request)
  if (response.status === 401) noteEnded()
  return response
}

/** Options of a write that the page makes by itself, beside the work: where the session has ended, it gives up. */
export const beside = { fetch: fetchBeside } as const

export const api = createClient<paths, 'application/json'>({
  baseUrl: globalThis.location.origin,
  credentials: 'same-origin',
  fetch: fetchInSession,
})
api.use(manners)

/** The data of an answer; refusals never get here, the middleware has thrown them. */
export async function unwrap<Data>(call: Promise<{ data?: Data }>): Promise<Data> {
  const { data } = await call
  return data as Data
}

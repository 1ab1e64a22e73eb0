import createClient, { type Middleware } from 'openapi-fetch'
import { errorFromResponse, offlineError } from './api-error'
import { csrfToken } from './csrf'
import type { paths } from './schema'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Adds the CSRF header to writes and turns every refusal into an ApiError. */
const manners: Middleware = {
  onRequest({ request }) {
    const token = csrfToken()
    if (token && !safeMethods.has(request.method)) request.headers.set('X-CSRFToken', token)
    return request
  },
  async onResponse({ response }) {
    if (!response.ok) throw await errorFromResponse(response)
    return undefined
  },
  onError({ error }) {
    return error instanceof DOMException && error.name === 'AbortError' ? error : offlineError()
  },
}

export const api = createClient<paths>({
  baseUrl: globalThis.location.origin,
  credentials: 'same-origin',
  fetch: (request) => globalThis.fetch(request),
})
api.use(manners)

/** The data of an answer; refusals never get here, the middleware has thrown them. */
export async function unwrap<Data>(call: Promise<{ data?: Data }>): Promise<Data> {
  const { data } = await call
  return data as Data
}

/** The endpoints as openapi-fetch wants them: generated from the server's schema, the rest by hand. */
import type { NextAssignment, SubmitIn, Submitted } from './contract'
import type { paths as served } from './schema'

interface Answer<Out> {
  200: { content: { 'application/json': Out } }
}
interface NoContent {
  204: { content?: never }
}
interface Send<In, Out, Params = object> {
  parameters: Params
  requestBody: { content: { 'application/json': In } }
  responses: Answer<Out>
}
interface BySlug {
  path: { slug: string }
}
interface ById {
  path: { id: string }
}

/** The desk's addresses, still by hand: its types move to the schema with the next change of the annotate page. */
interface AwaitedPaths {
  '/api/v1/projects/{slug}/assignments/next': {
    post: { parameters: BySlug; responses: Answer<NextAssignment> }
  }
  '/api/v1/assignments/{id}/submit': {
    post: Send<SubmitIn, Submitted, ById & { header: { 'Idempotency-Key': string } }>
  }
  '/api/v1/assignments/{id}/return': { post: { parameters: ById; responses: NoContent } }
}

export interface paths extends Omit<served, keyof AwaitedPaths>, AwaitedPaths {}

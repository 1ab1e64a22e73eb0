/** The endpoints as openapi-fetch wants them, written by hand until the server's schema file is committed. */
import type {
  Me,
  NextAssignment,
  Page,
  Preferences,
  Progress,
  Project,
  Session,
  SubmitIn,
  Submitted,
} from './contract'

interface Answer<Out> {
  200: { content: { 'application/json': Out } }
}
interface NoContent {
  204: { content?: never }
}
interface Get<Out, Params = object> {
  parameters: Params
  responses: Answer<Out>
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

export interface paths {
  '/api/v1/session': {
    get: Get<Session>
    post: Send<{ username: string; password: string }, Session>
    delete: { responses: NoContent }
  }
  '/api/v1/me': { patch: Send<{ preferences: Preferences }, Me> }
  '/api/v1/projects': { get: Get<Page<Project>, { query?: { cursor?: string; limit?: number } }> }
  '/api/v1/projects/{slug}': { get: Get<Project, BySlug> }
  '/api/v1/projects/{slug}/progress': { get: Get<Progress, BySlug> }
  '/api/v1/projects/{slug}/assignments/next': {
    post: { parameters: BySlug; responses: Answer<NextAssignment> }
  }
  '/api/v1/assignments/{id}/submit': {
    post: Send<SubmitIn, Submitted, ById & { header: { 'Idempotency-Key': string } }>
  }
  '/api/v1/assignments/{id}/return': { post: { parameters: ById; responses: NoContent } }
}


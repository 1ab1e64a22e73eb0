import { inOurLanguage } from '@/lib/language/catalogue'
import { t } from '@/messages/common'

/** What the server says when it refuses, and what we say when it cannot be reached: one type for both. */
export interface ErrorBody {
  code: string
  message: string
  details: Record<string, unknown> | null
  request_id: string | null
}

export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: Record<string, unknown> | null
  readonly requestId: string | null
  /** How long the server wants to be left alone. */
  readonly restMs: number

  constructor(status: number, body: ErrorBody, restMs = 0) {
    super(inOurLanguage(body.code, body.message))
    this.name = 'ApiError'
    this.status = status
    this.code = body.code
    this.details = body.details
    this.requestId = body.request_id
    this.restMs = restMs
  }

  get isOffline(): boolean {
    return this.code === 'offline'
  }

  get isSignedOut(): boolean {
    return this.status === 401
  }

  /** Worth asking again unchanged: the network, the server or a crowd was at fault, not the question. */
  get isPassing(): boolean {
    return this.isOffline || this.status >= 500 || this.status === 429 || this.code === 'crowded'
  }

  /** The sentences the server gave for one field of a form. */
  fieldErrors(): Record<string, string> {
    if (this.code !== 'invalid' || !this.details) return {}
    return Object.fromEntries(
      Object.entries(this.details).map(([field, said]) => [field, [said].flat().map(sentenceOf).join(' ')]),
    )
  }
}

const sentenceOf = (said: unknown): string => inOurLanguage(String(said))

export function offlineError(): ApiError {
  return new ApiError(0, {
    code: 'offline',
    message: t.unreachable,
    details: null,
    request_id: null,
  })
}

function isErrorBody(value: unknown): value is ErrorBody {
  return typeof value === 'object' && value !== null && 'code' in value && 'message' in value
}

/** A proxy in between may answer in HTML; that too becomes a sentence. */
export async function errorFromResponse(response: Response): Promise<ApiError> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  const told = isErrorBody(body) ? body : silent(response)
  return new ApiError(response.status, told, restOf(response))
}

const silent = ({ status, headers }: Response): ErrorBody => ({
  code: 'unexpected_answer',
  message: t.silentServer({ status }),
  details: null,
  request_id: headers.get('X-Request-Id'),
})

/** Retry-After in milliseconds; a date, which nobody sends here, says nothing. */
const restOf = ({ headers }: Response): number => (Number(headers.get('Retry-After')) || 0) * 1000

export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError(0, {
    code: 'unexpected',
    message: t.pageFailed,
    details: { reason: String(error) },
    request_id: null,
  })
}

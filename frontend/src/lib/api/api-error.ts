import { inOurLanguage, say } from '@/lib/language/catalogue'
import { language } from '@/lib/language/language'
import { t } from '@/messages/common'
import type { Said } from './served'

/** What the server says when it refuses, and what we say when it cannot be reached: one type for both. */
export interface ErrorBody {
  code: string
  message: string
  details: Record<string, unknown> | null
  request_id: string | null
  /** The sentences of `details`, each with its code, by the field of the form. */
  fields?: Readonly<Record<string, readonly Said[]>>
}

export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: Record<string, unknown> | null
  readonly requestId: string | null
  readonly fields: Readonly<Record<string, readonly Said[]>>
  /** How long the server wants to be left alone. */
  readonly restMs: number

  constructor(status: number, body: ErrorBody, restMs = 0) {
    super(sentenceOf(body))
    this.name = 'ApiError'
    this.status = status
    this.code = body.code
    this.details = body.details
    this.requestId = body.request_id
    this.fields = body.fields ?? {}
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
    return Object.fromEntries(Object.entries(this.fields).map(([field, said]) => [field, said.map(say).join(' ')]))
  }
}

/** Of an error in several fields the first, which says more than that something is wrong. */
function sentenceOf({ code, details, message, fields = {} }: ErrorBody): string {
  const [first] = Object.entries(fields)
  if (code !== 'invalid' || language === 'en' || !first) return inOurLanguage(code, details, message)
  const [name, [said]] = first
  if (!said) return message
  return name === 'non_field_errors' || name === '__all__' ? say(said) : `${name}: ${say(said)}`
}

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

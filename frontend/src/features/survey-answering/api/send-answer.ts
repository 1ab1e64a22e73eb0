import { api, unwrap } from '@/lib/api/client'
import type { SurveyAnswer } from '@/lib/api/served'

/** Sends the answer to one pair; sent twice, it counts once. */
export const sendAnswer = (token: string, number: number, body: SurveyAnswer) =>
  unwrap(api.PUT('/api/v1/s/{token}/answers/{number}', { params: { path: { token, number } }, body }))

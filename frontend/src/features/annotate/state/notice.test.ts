import { expect, test } from 'vitest'
import { ApiError, offlineError } from '@/lib/api/api-error'
import { noticeFor } from './notice'

const refused = (status: number, code: string, message = 'The server said so.') =>
  new ApiError(status, { code, message, details: null, request_id: null })

test.each([
  [offlineError(), 'retry', /offline.*10 judgments are kept.*will be sent/],
  [refused(401, 'not_signed_in'), 'sign-in', /signed out.*kept.*sign in/],
  [refused(409, 'lease_expired'), 'next', /time .* ran out.*kept/],
  [refused(409, 'already_submitted'), 'next', /already submitted.*Nothing was counted twice/],
  [refused(409, 'crowded'), 'retry', /The server said so\. Your 10 judgments are kept/],
  [refused(409, 'conflict'), 'next', /The server said so\. Your 10 judgments are kept/],
  [refused(404, 'not_found'), 'leave', /no longer open to you.*kept/],
  [refused(503, 'unavailable'), 'retry', /The server said so\. Your 10 judgments are kept/],
])('%s ends in a sentence and one way on', (error, way, text) => {
  const notice = noticeFor(error, 10)
  expect(notice.way).toBe(way)
  expect(notice.text).toMatch(text)
})

test('one judgment is spoken of in the singular', () => {
  expect(noticeFor(offlineError(), 1).text).toContain('Your 1 judgment is kept')
})

import { expect, test } from 'vitest'
import { ApiError, offlineError } from '@/lib/api/api-error'
import { assignment } from '@/testing/data'
import { noticeFor } from './notice'
import type { OutboxState } from './outbox'
import { outgoingOf } from './outgoing'

const said = (status: number, code: string, message = 'The server said so.') =>
  new ApiError(status, { code, message, details: null, request_id: null })

const submitted = (id: string, n = 10) =>
  outgoingOf(
    'bob',
    'harbour',
    assignment({ id }),
    Array.from({ length: n }, (_, place) => ({
      position: place + 1,
      label: 'good',
      lens: '',
      comment: '',
      is_generic: false,
    })),
  )

const stopped = (obstacle: ApiError, ...waiting: OutboxState['waiting']): OutboxState => ({
  waiting,
  refused: [],
  obstacle,
})

const refusedFor = (status: number, code: string): OutboxState => ({
  waiting: [],
  refused: [{ ...submitted('a'), refusal: { status, code, message: 'The server said so.' } }],
  obstacle: null,
})

test.each([
  [offlineError(), ['send', 'take-back'], /offline\. Your 10 answers are saved .* will be sent when/],
  [said(401, 'not_signed_in'), ['sign-in'], /signed out.*saved.*Sign in/],
  [said(409, 'crowded'), ['send', 'take-back'], /The server said so\. Your 10 answers are saved/],
  [said(503, 'unavailable'), ['send', 'take-back'], /The server said so\. Your 10 answers are saved/],
])('%s in the way ends in a sentence and its ways on', (error, ways, text) => {
  const notice = noticeFor(stopped(error, submitted('a')), 'a')
  expect(notice?.ways).toEqual(ways)
  expect(notice?.text).toMatch(text)
})

test.each([
  [409, 'already_submitted', /already submitted.*Nothing was counted twice.*10 answers are saved/],
  [409, 'already_skipped', /already skipped/],
  [409, 'conflict', /The server said so\. Your 10 answers are saved/],
  [410, 'gone', /The server said so\./],
  [404, 'not_found', /no longer have access.*saved/],
])('one refused with %d %s is told with its reason, and can be looked at', (status, code, text) => {
  expect(noticeFor(refusedFor(status, code), 'another')).toMatchObject({ ways: ['look'] })
  expect(noticeFor(refusedFor(status, code), 'another')?.text).toMatch(text)
  expect(noticeFor(refusedFor(status, code), 'a')).toMatchObject({ ways: ['look', 'leave'] })
})

test('one answer is spoken of in the singular', () => {
  expect(noticeFor(stopped(offlineError(), submitted('a', 1)), 'a')?.text).toContain('Your 1 answer is saved')
})

test('two that wait are counted together, and the second is said to follow the first', () => {
  const both = stopped(offlineError(), submitted('a'), submitted('b'))
  expect(noticeFor(both, 'b')?.text).toMatch(/Your 20 answers .* This task is sent after the previous task\./)
})

test('somebody with a HIT in hand is told to go on', () => {
  expect(noticeFor(stopped(offlineError(), submitted('a')), 'b')).toMatchObject({ ways: ['send'] })
  expect(noticeFor(stopped(offlineError(), submitted('a')), 'b')?.text).toMatch(/Continue with this task\.$/)
})

test('nothing is said while all goes well', () => {
  expect(noticeFor({ waiting: [submitted('a')], refused: [], obstacle: null }, 'a')).toBeNull()
})

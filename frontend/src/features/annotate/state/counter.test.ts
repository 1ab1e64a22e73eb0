import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Assignment, Submitted } from '@/lib/api/contract'
import { assignment } from '@/testing/data'
import { nextAssignmentQuery, upcomingAssignmentQuery } from '../api/get-next-assignment'
import { counterOf, Hand } from './counter'
import { Outbox } from './outbox'
import { outgoingOf } from './outgoing'

const [first, second, third] = [assignment({ id: 'first' }), assignment({ id: 'second' }), assignment({ id: 'third' })]
const bringing = (next: Assignment | null, reason: Submitted['reason'] = null): Submitted => ({
  submitted_at: '2026-03-01T10:00:00Z',
  is_late: false,
  next,
  reason,
})

function atTheDesk() {
  const queryClient = new QueryClient()
  const hand = new Hand(queryClient, 'harbour')
  const counter = counterOf(queryClient, 'harbour', new Outbox('bob'))
  hand.putOnDesk({ assignment: first, reason: null })
  const onDesk = () => queryClient.getQueryData(nextAssignmentQuery('harbour').queryKey)
  return { queryClient, hand, counter, onDesk, outgoing: outgoingOf('bob', 'harbour', first, []) }
}

test('what a submission brings along stands behind the HIT that is next', async () => {
  const { hand, counter, outgoing } = atTheDesk()
  hand.putBehind('first', { assignment: second, reason: null })
  const wish = counter.wishFor(outgoing)
  expect(wish?.holding).toEqual(['second'])
  await counter.accept(outgoing, bringing(third), wish)
  expect(hand.onDesk?.id).toBe('second')
  expect(hand.behind('second')?.id).toBe('third')
})

test('what a submission brings along and the page has got by then does not stand behind itself', async () => {
  const { hand, counter, outgoing } = atTheDesk()
  const wish = counter.wishFor(outgoing)
  expect(wish?.holding).toEqual([])
  hand.putBehind('first', { assignment: second, reason: null })
  await counter.accept(outgoing, bringing(second), wish)
  expect(hand.onDesk?.id).toBe('second')
  expect(hand.behind('second')).toBeNull()
})

test('why nothing came along is told, and where no reason is given the server is asked again', async () => {
  const { counter, onDesk, outgoing } = atTheDesk()
  const wish = counter.wishFor(outgoing)
  await counter.accept(outgoing, bringing(null), wish)
  expect(onDesk()).toBeUndefined()

  const done = atTheDesk()
  await done.counter.accept(outgoing, bringing(null, 'none_left'), done.counter.wishFor(outgoing))
  expect(done.onDesk()).toEqual({ assignment: null, reason: 'none_left' })
})

test('where no reason is given nothing stands behind the HIT on the desk, and so it is asked for', async () => {
  const { queryClient, hand, counter, outgoing } = atTheDesk()
  const behindSecond = () => queryClient.getQueryData(upcomingAssignmentQuery('harbour', 'second').queryKey)
  hand.putBehind('first', { assignment: second, reason: null })
  await counter.accept(outgoing, bringing(null), counter.wishFor(outgoing))
  expect(hand.onDesk?.id).toBe('second')
  expect(behindSecond()).toBeUndefined()
  const wish = { holding: ['second'], isAwaited: false }
  await counter.accept(outgoing, bringing(null, 'none_left'), wish)
  expect(behindSecond()).toEqual({ assignment: null, reason: 'none_left' })
})

import { expect, test } from 'vitest'
import { nextOf } from './words'

type Given = Parameters<typeof nextOf>[0]

const given = (waiting: Partial<Given['waiting']>, slotsOpen = 4) =>
  ({
    waiting: { open: 0, disputes: 0, replies: 0, waiting_at_gate: 0, ...waiting },
    slots_open: slotsOpen,
    n_people: 3,
  }) as Given

test('what blocks people comes before what waits for a decision, and that before the list of people', () => {
  expect(nextOf(given({ waiting_at_gate: 1, open: 9 }), true).why).toBe('gate')
  expect(nextOf(given({ disputes: 2, open: 9 }), true).why).toBe('disputes')
  expect(nextOf(given({ open: 9 }), false)).toEqual({ to: '/projects/$slug/review', why: 'cases' })
  expect(nextOf(given({}), true).why).toBe('judging')
  expect(nextOf(given({}, 0), true).why).toBe('pipeline')
})

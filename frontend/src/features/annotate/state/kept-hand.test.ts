import { expect, test } from 'vitest'
import { assignment, bob, harbour } from '@/testing/data'
import { keptBehind, keptOnDesk } from './kept-hand'

const hits = [assignment({ id: 'one' }), assignment({ id: 'two' })]
const desk = {
  session: { user: bob, sign_up_open: false, demo_roles: [], mails_passwords: false },
  project: harbour,
  assignments: hits,
}
const on = (waiting: string[]) => keptOnDesk(harbour.slug, waiting)(desk)?.assignment?.id

test('the first that is not submitted stands on the desk, and the last where all are', () => {
  expect(on([])).toBe('one')
  expect(on(['one'])).toBe('two')
  expect(on(['one', 'two'])).toBe('two')
})

test('the one behind stands behind, and nothing behind the last or one that is not here', () => {
  const behind = (current: string) => keptBehind(harbour.slug, current)(desk)?.assignment?.id
  expect([behind('one'), behind('two')]).toEqual(['two', undefined])
})

test('another project has nothing on this desk', () => {
  expect(keptOnDesk('elsewhere', [])(desk)).toBeNull()
  expect(keptBehind('elsewhere', 'one')(desk)).toBeNull()
})

import { expect, test } from 'vitest'
import { assertNoSharedKeys } from '@/lib/actions/action'
import { everyAction } from './every-action'

test('no key has two owners on any page', () => {
  expect(() => assertNoSharedKeys(everyAction)).not.toThrow()
})

test('every action has a name of its own', () => {
  const ids = everyAction.map((action) => action.id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('an action says in its name what it does, beginning with a verb', () => {
  for (const action of everyAction) expect(action.name).toMatch(/^[A-Z][a-z]+ \S/)
})

test('the server knows the same verbs with the same keys (npx vitest run src/app/actions.test.ts -u writes them)', async () => {
  const verbs = Object.fromEntries(everyAction.map(({ id, scope, keys }) => [id, { scope, keys }]))
  await expect(`${JSON.stringify(verbs, null, 2)}\n`).toMatchFileSnapshot('../../../backend/people/verbs.json')
})

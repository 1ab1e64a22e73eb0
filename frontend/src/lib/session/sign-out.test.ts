import 'fake-indexeddb/auto'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { forgetServedDrafts } from '@/lib/store/served-drafts'
import { shelf } from '@/lib/store/shelf'
import { server } from '@/testing/server'
import { signOut } from './sign-out'

interface Kept {
  id: string
  isServed?: boolean
}

test('signing out deletes the drafts that the server has, and no others', async () => {
  server.use(http.delete('*/api/v1/session', () => new HttpResponse(null, { status: 204 })))
  const drafts = shelf<Kept>('drafts')
  await drafts.put({ id: 'bob served', isServed: true })
  await drafts.put({ id: 'bob unsent' })
  await shelf<Kept>('outbox').put({ id: 'bob submitted' })
  await signOut()
  expect((await drafts.all()).map(({ id }) => id)).toEqual(['bob unsent'])
  expect(await shelf<Kept>('outbox').all()).toHaveLength(1)
})

test('a sign-out that fails deletes nothing', async () => {
  server.use(http.delete('*/api/v1/session', () => HttpResponse.error()))
  const drafts = shelf<Kept>('drafts')
  await drafts.put({ id: 'bob served', isServed: true })
  await expect(signOut()).rejects.toThrow()
  expect((await drafts.all()).map(({ id }) => id)).toContain('bob served')
})

test('when another person signs in, the drafts of the last one go if the server has them', async () => {
  const drafts = shelf<Kept>('drafts')
  await drafts.put({ id: 'bob served', isServed: true })
  await drafts.put({ id: 'bobby served', isServed: true })
  await drafts.put({ id: 'dora unsent' })
  await forgetServedDrafts('bob')
  const left = (await drafts.all()).map(({ id }) => id)
  expect(left).toEqual(expect.arrayContaining(['bob served', 'dora unsent']))
  expect(left).not.toContain('bobby served')
})

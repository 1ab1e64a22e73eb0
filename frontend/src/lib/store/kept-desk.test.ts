import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from 'vitest'
import { ApiError, offlineError } from '@/lib/api/api-error'
import type { Project } from '@/lib/api/contract'
import { assignment, bob, harbour } from '@/testing/data'
import { forgetDesk, forgetDeskOfOthers, fromDesk, keepDesk, orFromDesk } from './kept-desk'

const session = { user: bob, sign_up_open: false, demo_roles: [], mails_passwords: false }
const desk = { session, project: harbour, assignments: [assignment()] }
const unreachable = () => Promise.reject(offlineError())
const projectOf = (ask: () => Promise<Project>, now?: number) => orFromDesk(ask, ({ project }) => project, now)

beforeEach(() => forgetDesk())

test('without a network the page finds what it kept, and says that it did', async () => {
  await keepDesk(desk)
  expect(await projectOf(unreachable)).toEqual(harbour)
  expect(fromDesk.snapshot()).toBe(true)
  await projectOf(() => Promise.resolve(harbour))
  expect(fromDesk.snapshot()).toBe(false)
})

test('what the server refuses is never answered from here', async () => {
  await keepDesk(desk)
  const refused = new ApiError(404, { code: 'not_found', message: 'No.', details: null, request_id: null })
  await expect(projectOf(() => Promise.reject(refused))).rejects.toBe(refused)
})

test('another person, or nobody, finds nothing of who was here', async () => {
  await keepDesk(desk)
  await forgetDeskOfOthers('bob')
  expect(await projectOf(unreachable)).toEqual(harbour)
  await forgetDeskOfOthers('dora')
  await expect(projectOf(unreachable)).rejects.toThrow('cannot be reached')
  await keepDesk(desk)
  await forgetDeskOfOthers(undefined)
  await expect(projectOf(unreachable)).rejects.toThrow('cannot be reached')
})

test('what was kept for half a day is not shown any more', async () => {
  await keepDesk(desk, 0)
  await expect(projectOf(unreachable, 13 * 3_600_000)).rejects.toThrow('cannot be reached')
})

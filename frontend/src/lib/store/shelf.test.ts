import 'fake-indexeddb/auto'
import * as idb from 'idb'
import { expect, test, vi } from 'vitest'

vi.mock('idb', { spy: true })

interface Kept {
  id: string
  said: string
}

/** The module anew, as a page that was just loaded has it. */
async function loadPage() {
  vi.resetModules()
  const { shelf } = await import('./shelf')
  return shelf<Kept>('drafts')
}

test('what one page keeps the next page finds', async () => {
  const row = { id: 'one', said: 'good' }
  await (await loadPage()).put(row)
  expect(await (await loadPage()).get('one')).toEqual(row)
})

test('a database that opens late has in the end what was kept before it opened', async () => {
  const { openDB } = await vi.importActual<typeof idb>('idb')
  let letOpen: () => void = () => undefined
  const late = new Promise<void>((resolve) => (letOpen = resolve))
  vi.mocked(idb.openDB).mockImplementationOnce(async (...given) => {
    await late
    return openDB(...given)
  })
  const drafts = await loadPage()
  await drafts.put({ id: 'two', said: 'bad' })
  expect(await drafts.get('two')).toMatchObject({ said: 'bad' })
  letOpen()
  await vi.waitFor(async () => expect(await (await loadPage()).get('two')).toMatchObject({ said: 'bad' }))
})

test('a database that refused to open is asked again', async () => {
  vi.mocked(idb.openDB).mockRejectedValueOnce(new Error('Not now.'))
  const drafts = await loadPage()
  await drafts.put({ id: 'three', said: 'unsure' })
  expect(await drafts.get('three')).toMatchObject({ said: 'unsure' })
  expect(await (await loadPage()).get('three')).toBeUndefined()
  await drafts.all()
  expect(await (await loadPage()).get('three')).toMatchObject({ said: 'unsure' })
})

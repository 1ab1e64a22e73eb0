import { QueryClient } from '@tanstack/react-query'
import { waitFor } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { shelf } from '@/lib/store/shelf'
import { accepted, answerSubmitsWith, unreachable } from '@/testing/annotating'
import { assignment } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { Outbox, outboxOf } from './outbox'
import { type Outgoing, outgoingOf } from './outgoing'

const submitted = (id: string, changes: Partial<Outgoing> = {}): Outgoing => ({
  ...outgoingOf('bob', 'harbour', assignment({ id }), [
    { position: 1, label: 'good', lens: '', comment: '', is_generic: false },
  ]),
  ...changes,
})

const lying = () => shelf<Outgoing>('outbox').all()

test('a submission lies in the storage before it is sent, and no longer than until the answer', async () => {
  let answer: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  const sent = answerSubmitsWith(async () => {
    expect(await lying()).toHaveLength(1)
    await held
    return accepted(null)
  })
  const outbox = new Outbox('bob')
  const one = submitted('a')
  outbox.put(one)
  expect(outbox.snapshot().waiting).toEqual([one])
  await waitFor(() => expect(sent).toHaveLength(1))
  answer()
  await waitFor(() => expect(outbox.snapshot().waiting).toEqual([]))
  expect(sent[0]?.key).toBe(one.id)
  expect(await lying()).toEqual([])
})

test('what a crash left behind is sent by the next page, under its key and in its order, and only its owner’s', async () => {
  const [late, early, hers] = [
    submitted('late', { submittedAt: 2 }),
    submitted('early', { submittedAt: 1 }),
    submitted('hers', { owner: 'dora' }),
  ]
  for (const each of [late, early, hers]) await shelf<Outgoing>('outbox').put(each)
  const sent = answerSubmitsWith(() => accepted(null))
  await new Outbox('bob').send()
  expect(sent.map(({ key }) => key)).toEqual([early.id, late.id])
  expect(await lying()).toEqual([hers])
})

test('offline nothing is tried behind the first, and all goes when it is asked again', async () => {
  const sent = answerSubmitsWith(unreachable, () => accepted(null))
  const outbox = new Outbox('bob')
  await shelf<Outgoing>('outbox').put(submitted('a', { submittedAt: 1 }))
  await shelf<Outgoing>('outbox').put(submitted('b', { submittedAt: 2 }))
  await outbox.send()
  expect(sent).toHaveLength(1)
  expect(outbox.snapshot().obstacle?.isOffline).toBe(true)
  await outbox.send()
  expect(sent).toHaveLength(3)
  expect(outbox.snapshot()).toEqual({ waiting: [], refused: [], obstacle: null })
})

test('a server that stumbles is asked again without a word', async () => {
  const sent = answerSubmitsWith(
    () => refusal(503, 'database_unavailable', 'Not now.'),
    () => accepted(null),
  )
  const outbox = new Outbox('bob')
  outbox.put(submitted('a'))
  await waitFor(() => expect(outbox.snapshot().waiting).toEqual([]), { timeout: 3000 })
  expect(sent[1]?.key).toBe(sent[0]?.key)
})

test('a server that wants to be left alone for a while is, and the obstacle says for how long', async () => {
  const busy = () =>
    HttpResponse.json(
      { code: 'unavailable', message: 'Down.', details: null, request_id: null },
      { status: 503, headers: { 'Retry-After': '30' } },
    )
  const sent = answerSubmitsWith(busy)
  const outbox = new Outbox('bob')
  outbox.put(submitted('a'))
  await waitFor(() => expect(outbox.snapshot().obstacle?.restMs).toBe(30_000))
  expect(sent).toHaveLength(1)
  expect(outbox.snapshot().waiting).toHaveLength(1)
})

test('one that is refused is kept with its reason, and blocks nothing behind it', async () => {
  answerSubmitsWith(
    () => refusal(409, 'already_submitted', 'Submitted before.'),
    () => accepted(null),
  )
  await shelf<Outgoing>('outbox').put(submitted('a', { submittedAt: 1 }))
  await shelf<Outgoing>('outbox').put(submitted('b', { submittedAt: 2 }))
  const outbox = new Outbox('bob')
  await outbox.send()
  expect(outbox.snapshot()).toMatchObject({ waiting: [], refused: [{ assignmentId: 'a' }] })
  expect((await lying()).map((each) => each.refusal?.code)).toEqual(['already_submitted'])
  outbox.drop((await lying())[0]?.id ?? '')
  await outbox.read()
  expect(await lying()).toEqual([])
})

test('submitting a HIT anew replaces what waited of it', async () => {
  const sent = answerSubmitsWith(unreachable)
  const outbox = new Outbox('bob')
  outbox.put(submitted('a'))
  await waitFor(() => expect(sent).toHaveLength(1))
  const anew = submitted('a')
  outbox.put(anew)
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(await lying()).toEqual([anew])
})

test('only one tab sends at a time', async () => {
  const order: string[] = []
  let last = Promise.resolve()
  const request = (name: string, work: () => Promise<void>) => {
    last = last.then(async () => {
      order.push(name)
      await work()
    })
    return last
  }
  vi.stubGlobal('navigator', { locks: { request } })
  const sent = answerSubmitsWith(() => accepted(null))
  await shelf<Outgoing>('outbox').put(submitted('a'))
  await Promise.all([new Outbox('bob').send(), new Outbox('bob').send()])
  vi.unstubAllGlobals()
  expect(order).toEqual(['connote.outbox.bob', 'connote.outbox.bob'])
  expect(sent).toHaveLength(1)
})

test('a page has one outbox for each person', () => {
  const queryClient = new QueryClient()
  expect(outboxOf(queryClient, 'bob')).toBe(outboxOf(queryClient, 'bob'))
  expect(outboxOf(queryClient, 'dora')).not.toBe(outboxOf(queryClient, 'bob'))
})

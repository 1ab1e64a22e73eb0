import { expect, test, vi } from 'vitest'
import { shelf } from '@/lib/store/shelf'
import { assignment, item } from '@/testing/data'
import { forgetDraft, forgetOldDrafts, loadDraft, noteServed, recallDraft, saveDraft } from './drafts'
import { noAnswer } from './judging'

const mine = assignment()
const work = {
  answers: {
    1: { ...noAnswer, label: 'good' as const, ms: 500, lens: 'emotional' as const },
    3: { ...noAnswer, comment: 'Which sea?' },
  },
  current: 1,
  unfinished: {
    1: { edit: { text: 'The lake', kinds: { '4 sea': 'location' as const } }, comment: null },
    2: { edit: null, comment: 'Whose' },
  },
}
const day = 24 * 3_600_000

test('work comes back as it was left, remarks and all', () => {
  saveDraft('bob', mine, work)
  expect(loadDraft('bob', mine)).toEqual(work)
})

test('what was said of another text at the same place is left out', () => {
  saveDraft('bob', mine, work)
  const changed = assignment({ items: [item(1, { text: 'Something else.' }), ...mine.items.slice(1)] })
  expect(loadDraft('bob', changed)).toMatchObject({
    answers: { 3: work.answers[3] },
    unfinished: { 2: work.unfinished[2] },
  })
  expect(loadDraft('bob', changed)?.unfinished).not.toHaveProperty('1')
})

test('photographs of a query are kept by their places', () => {
  const query = assignment({ items: [item(1), item(2)] })
  const seen = { answers: { 2: { ...noAnswer, label: 'bad' as const } }, current: 0, unfinished: {} }
  saveDraft('bob', query, seen)
  expect(loadDraft('bob', query)).toEqual(seen)
})

test('another assignment never inherits labels', () => {
  saveDraft('bob', mine, work)
  expect(loadDraft('bob', assignment({ id: 'other' }))).toBeNull()
})

test('one person never gets another one’s labels, not even on the same assignment', () => {
  saveDraft('bob', mine, work)
  expect(loadDraft('dora', mine)).toBeNull()
  void forgetDraft('dora', mine.id)
  expect(loadDraft('bob', mine)).toEqual(work)
})

test('a sent draft is forgotten, an unsent one of another photograph stays', () => {
  const other = assignment({ id: 'other' })
  saveDraft('bob', mine, work)
  saveDraft('bob', other, work)
  void forgetDraft('bob', mine.id)
  expect(loadDraft('bob', mine)).toBeNull()
  expect(loadDraft('bob', other)).toEqual(work)
})

test('a draft is kept for seven days, then it goes', async () => {
  saveDraft('bob', mine, work, 0)
  expect(loadDraft('bob', mine, 7 * day - 1)).not.toBeNull()
  expect(loadDraft('bob', mine, 7 * day)).toBeNull()
  await forgetOldDrafts(7 * day - 1)
  expect(await shelf('drafts').all()).toHaveLength(1)
  await forgetOldDrafts(7 * day)
  expect(await shelf('drafts').all()).toEqual([])
})

const lying = { id: `bob ${mine.id}`, owner: 'bob', assignmentId: mine.id, current: 1, savedAt: Date.now() }
const kept = { position: 1, text: mine.items[0]?.text, answer: { label: 'good' } }

test('what another page wrote is there once it is recalled', async () => {
  await recallDraft('bob', mine.id)
  expect(loadDraft('bob', mine)).toBeNull()
  await shelf('drafts').put({ ...lying, items: [kept] } as { id: string })
  await recallDraft('bob', mine.id)
  expect(loadDraft('bob', mine)).toMatchObject({ answers: { 1: { label: 'good' } }, unfinished: {} })
})

test.each([
  ['a label nobody knows', [{ ...kept, answer: { label: 'splendid' } }]],
  ['an edit that is no text', [{ ...kept, unfinished: { edit: { text: 7 } } }]],
  ['no list', 'broken'],
])('a draft with %s is passed over', async (_, items) => {
  await shelf('drafts').put({ ...lying, items } as { id: string })
  await recallDraft('bob', mine.id)
  expect(loadDraft('bob', mine)).toBeNull()
})

test('a draft is known to be at the server until it changes again', async () => {
  const isServed = async () =>
    (await shelf<{ id: string; isServed?: boolean }>('drafts').get(`bob ${mine.id}`))?.isServed
  saveDraft('bob', mine, work, 1000)
  noteServed(mine.id, 1001)
  await vi.waitFor(async () => expect(await isServed()).toBe(true))
  saveDraft('bob', mine, work, 2000)
  noteServed(mine.id, 1500)
  await vi.waitFor(async () => expect(await isServed()).toBeUndefined())
})

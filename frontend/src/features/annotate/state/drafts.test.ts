import { expect, test, vi } from 'vitest'
import { assignment, item } from '@/testing/data'
import { forgetDraft, loadDraft, saveDraft } from './drafts'
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
  forgetDraft('dora', mine.id)
  expect(loadDraft('bob', mine)).toEqual(work)
})

test('a sent draft is forgotten, an unsent one of another photograph stays', () => {
  const other = assignment({ id: 'other' })
  saveDraft('bob', mine, work)
  saveDraft('bob', other, work)
  forgetDraft('bob', mine.id)
  expect(loadDraft('bob', mine)).toBeNull()
  expect(loadDraft('bob', other)).toEqual(work)
})

test('a draft is kept for seven days', () => {
  saveDraft('bob', mine, work, 0)
  expect(loadDraft('bob', mine, 7 * day - 1)).not.toBeNull()
  expect(loadDraft('bob', mine, 7 * day)).toBeNull()
})

test('spoiled storage is passed over', () => {
  localStorage.setItem(`connote.draft.${mine.id}`, '{broken')
  expect(loadDraft('bob', mine)).toBeNull()
  const kept = { position: 1, text: mine.items[0]?.text, answer: { label: 'splendid' } }
  const spoiled = { owner: 'bob', items: [kept], current: 0, savedAt: Date.now() }
  localStorage.setItem(`connote.draft.${mine.id}`, JSON.stringify(spoiled))
  expect(loadDraft('bob', mine)).toBeNull()
})

test('a draft of before there was unfinished text is read, one whose text is spoiled is not', () => {
  const kept = { position: 1, text: mine.items[0]?.text, answer: { label: 'good' } }
  const draft = { owner: 'bob', items: [kept], current: 1, savedAt: Date.now() }
  localStorage.setItem(`connote.draft.${mine.id}`, JSON.stringify(draft))
  expect(loadDraft('bob', mine)).toMatchObject({ answers: { 1: { label: 'good' } }, unfinished: {} })
  const spoiled = { ...draft, items: [{ ...kept, unfinished: { edit: { text: 7 } } }] }
  localStorage.setItem(`connote.draft.${mine.id}`, JSON.stringify(spoiled))
  expect(loadDraft('bob', mine)).toBeNull()
})

test('a full storage does not stop the work', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  expect(() => saveDraft('bob', mine, work)).not.toThrow()
  expect(warn).toHaveBeenCalledOnce()
})

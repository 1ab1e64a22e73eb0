import { expect, test, vi } from 'vitest'
import { assignment } from '@/testing/data'
import { forgetDraft, loadDraft, saveDraft } from './drafts'

const mine = assignment()
const work = { labels: { 1: 'good' as const, 3: 'bad' as const }, ms: { 1: 500, 3: 900 }, current: 1 }
const day = 24 * 3_600_000

test('work comes back as it was left', () => {
  saveDraft('bob', mine, work)
  expect(loadDraft('bob', mine)).toEqual(work)
})

test('the same captions under a new lease, in another order, find their labels again', () => {
  saveDraft('bob', mine, work)
  const [a, b, c] = mine.items.map((item) => item.text)
  const again = assignment({
    id: '22222222-2222-4222-8222-222222222222',
    items: [c, a, b].map((text, index) => ({ position: index + 1, text: text ?? '', label: null })),
  })
  expect(loadDraft('bob', again)).toEqual({ labels: { 1: 'bad', 2: 'good' }, ms: { 1: 900, 2: 500 }, current: null })
})

test('other captions never inherit labels', () => {
  saveDraft('bob', mine, work)
  const other = assignment({ id: 'other', items: [{ position: 1, text: 'Something else.', label: null }] })
  expect(loadDraft('bob', other)).toBeNull()
})

test('one person never gets another one’s labels, not even for the same captions', () => {
  saveDraft('bob', mine, work)
  expect(loadDraft('dora', mine)).toBeNull()
  forgetDraft('dora', mine)
  expect(loadDraft('bob', mine)).toEqual(work)
})

test('a sent draft is forgotten, an unsent one of another photograph stays', () => {
  const other = assignment({ id: 'other', items: [{ position: 1, text: 'Something else.', label: null }] })
  saveDraft('bob', mine, work)
  saveDraft('bob', other, { labels: { 1: 'good' }, ms: {}, current: 1 })
  forgetDraft('bob', mine)
  expect(loadDraft('bob', mine)).toBeNull()
  expect(loadDraft('bob', other)?.labels).toEqual({ 1: 'good' })
})

test('a draft is kept for seven days', () => {
  saveDraft('bob', mine, work, 0)
  expect(loadDraft('bob', mine, 7 * day - 1)).not.toBeNull()
  expect(loadDraft('bob', mine, 7 * day)).toBeNull()
})

test('spoiled storage is passed over', () => {
  localStorage.setItem('connote.draft.x', '{broken')
  localStorage.setItem(
    'connote.draft.y',
    JSON.stringify({ owner: 'bob', items: [{ text: 'a', label: 'splendid' }], current: 0 }),
  )
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

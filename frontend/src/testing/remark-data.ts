import type { PastHit, PastItem, Remark } from '@/lib/api/served'
import { assignment, item, photograph } from './data'

/** Dora, who heads, wrote to bob on the first caption, which he had judged bad. */
export function remark(changes: Partial<Remark> = {}): Remark {
  return {
    id: 1,
    assignment: assignment().id,
    kind: 'captions_of_image',
    image: photograph,
    query: null,
    item: item(1, { text: 'The sea keeps its own counsel.', label: 'bad' }),
    annotator: { id: 2, name: 'Bob' },
    written_by: { id: 3, name: 'Dora' },
    created_at: '2026-03-01T10:00:00Z',
    text: 'It is a metaphor, and a fair one.',
    label: 'good',
    label_then: 'bad',
    answer: null,
    answered_at: null,
    is_unread: true,
    awaits_reply: false,
    replies: [],
    closed: null,
    ...changes,
  }
}

export const pastItem = (position: number, changes: Partial<PastItem> = {}): PastItem => ({
  ...item(position, { text: `Caption ${position}.`, label: 'good' }),
  closed: null,
  ...changes,
})

export function pastHit(changes: Partial<PastHit> = {}): PastHit {
  return {
    ...assignment({ status: 'submitted', submitted_at: '2026-03-01T10:00:00Z' }),
    items: [pastItem(1), pastItem(2, { label: 'bad' }), pastItem(3, { label: 'unsure' })],
    ...changes,
  }
}

import type { PastHit, PastItem, Remark, RemarkRow } from '@/lib/api/served'
import { assignment, item, photograph } from './data'

/** The answer it is about: the first caption, which bob had judged bad. */
export function remarkRow(changes: Partial<RemarkRow> = {}): RemarkRow {
  return {
    assignment: assignment().id,
    kind: 'captions_of_image',
    image: photograph,
    query: null,
    item: item(1, { text: 'The sea keeps its own counsel.', label: 'bad' }),
    judgment: 11,
    candidate: 21,
    label: 'good',
    label_then: 'bad',
    closed: null,
    ...changes,
  }
}

/** Dora, who heads, wrote to bob. */
export function remark(changes: Partial<Remark> = {}): Remark {
  return {
    id: 1,
    annotator: { id: 2, name: 'Bob' },
    written_by: { id: 3, name: 'Dora' },
    created_at: '2026-03-01T10:00:00Z',
    text: 'It is a metaphor, and a fair one.',
    template: null,
    judgment: 11,
    candidate: 21,
    label: 'good',
    state: 'sent',
    answer: null,
    seen_at: null,
    acknowledged_at: null,
    answered_at: null,
    withdrawn_at: null,
    is_unread: true,
    awaits_reply: false,
    rows: [remarkRow()],
    replies: [],
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
    n_items: changes.items?.length ?? 3,
    ...changes,
  }
}

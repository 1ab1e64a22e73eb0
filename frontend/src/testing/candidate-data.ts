import type { Candidate, Example, Funnel, PoolSummary, SourceCounts } from '@/lib/api/served'

export function candidate(id: number, changes: Partial<Candidate> = {}): Candidate {
  return {
    id,
    text: `Caption ${id}`,
    raw_text: `Caption ${id}`,
    source: 'corpus',
    source_ref: '',
    rank: null,
    similarity: null,
    status: 'kept',
    drop_rule: '',
    drop_detail: '',
    flags: [],
    repeats: null,
    decision: null,
    suggestions: [],
    generic: null,
    created_at: '2026-01-05T10:00:00Z',
    ...changes,
  }
}

/** A suggested edit of what stands at `start`, in code points. */
export function suggestion(
  kind: Candidate['suggestions'][number]['kind'],
  start: number,
  before: string,
  options: string[] = [],
) {
  return { kind, start, end: start + Array.from(before).length, before, options }
}

export const dropped = (id: number, rule: string, detail: string, changes: Partial<Candidate> = {}): Candidate =>
  candidate(id, { text: '', status: 'dropped', drop_rule: rule, drop_detail: detail, ...changes })

export function sourceCounts(source: string, changes: Partial<SourceCounts> = {}): SourceCounts {
  return { source, n_candidates: 0, n_kept: 0, n_dropped: 0, n_new: 0, dropped: {}, flags: {}, ...changes }
}

export const summary: PoolSummary = {
  image: 2,
  previous: 1,
  next: 3,
  sources: [
    sourceCounts('corpus', { n_candidates: 4, n_kept: 2, n_dropped: 2, dropped: { too_short: 1, duplicate: 1 } }),
    sourceCounts('web', { n_candidates: 1, n_new: 1 }),
  ],
  suggests: {},
  n_generic: 0,
}

export const funnel: Funnel = {
  n_candidates: 100,
  n_kept: 60,
  n_dropped: 35,
  n_new: 5,
  n_kept_by_hand: 2,
  rules: [
    { rule: 'markup', n_dropped: 0, n_repaired: 12 },
    { rule: 'too_short', n_dropped: 30, n_repaired: null },
    { rule: 'duplicate', n_dropped: 5, n_repaired: null },
  ],
  sources: [
    sourceCounts('corpus', { n_candidates: 60, n_kept: 55, n_dropped: 5, dropped: { duplicate: 5 } }),
    sourceCounts('web', {
      n_candidates: 40,
      n_kept: 5,
      n_dropped: 30,
      n_new: 5,
      dropped: { too_short: 30 },
      flags: { non_english: 3 },
    }),
  ],
  per_image: [
    { n_captions: 0, n_images: 1 },
    { n_captions: 6, n_images: 10 },
  ],
  cleaned_at: '2026-01-05T10:00:00Z',
}

export function example(of: Candidate, seen: string, repaired: string[] = []): Example {
  const thumbnail = { url: '/media/7.webp', width: 320, height: 240 }
  return {
    candidate: of,
    image: { id: 7, title: 'Harbour 7', thumbnail: { small: thumbnail, large: thumbnail } },
    seen,
    repaired,
  }
}

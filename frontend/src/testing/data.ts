import type { Assignment, AssignmentItem, Me, Progress, Project } from '@/lib/api/contract'
import type { OwnDay } from '@/lib/api/served'

/** The house cast: alice owns, bob annotates, dora heads, charlie sees nothing. */
export const bob: Me = {
  id: 2,
  username: 'bob',
  email: 'bob@example.org',
  display_name: 'Bob',
  is_staff: false,
  preferences: { theme: 'system', language: 'system', break_minutes: 50, keys: {} },
}

export const harbour: Project = {
  slug: 'harbour',
  name: 'Harbour mornings',
  direction: 'captions_of_image',
  guidelines: '# Good\n\nA caption is **good** when a person could say it of this photograph.',
  overlap: 3,
  captions_per_hit: 3,
  lease_minutes: 30,
  control_rate: 0.1,
  confidence: null,
  max_overlap: 5,
  hits_per_annotator: null,
  shuffles_options: false,
  pay_per_hit: null,
  pay_fee: 0,
  role: 'annotator',
  version: 1,
  created_at: '2026-01-05T10:00:00Z',
  counts: { images: 40, candidates: 1200, kept: 900, hits: 40, judgments: 12, slots: 0, slots_open: 0, releases: 0 },
}

const texts = ['The sea keeps its own counsel.', 'A red tractor in a field.', 'Waiting is also a way of travelling.']

export const photograph: NonNullable<Assignment['image']> = {
  alt: 'Photograph 1',
  thumbnail: {
    small: { url: '/media/small.webp', width: 320, height: 240 },
    large: { url: '/media/large.webp', width: 1600, height: 1200 },
  },
}

export function item(position: number, changes: Partial<AssignmentItem> = {}): AssignmentItem {
  return {
    position,
    text: null,
    image: null,
    label: null,
    edits: [],
    lens: null,
    comment: '',
    is_generic: false,
    ...changes,
  }
}

export function assignment(changes: Partial<Assignment> = {}): Assignment {
  return {
    id: '11111111-1111-4111-8111-111111111111',
    status: 'leased',
    submitted_at: null,
    expires_at: new Date(Date.now() + 30 * 60_000).toISOString(),
    kind: 'captions_of_image',
    query: null,
    options: ['good', 'bad', 'unsure'],
    image: photograph,
    items: texts.map((text, index) => item(index + 1, { text })),
    guidelines_version: 1,
    ...changes,
  }
}

export const progress: Progress = {
  mine: { submitted_today: 4, submitted_total: 20, judgments_total: 60, ms_today: 4_320_000 },
  project: { hits: 40, assignments_needed: 120, assignments_submitted: 31 },
}

/** Two weeks of bob's own answers: 10 on each day up to today, which is 14 March 2026. */
export const ownDays = (): OwnDay[] =>
  Array.from({ length: 14 }, (_, at) => ({
    day: `2026-03-${String(at + 1).padStart(2, '0')}`,
    labels: { good: 6, bad: 3, unsure: 1 },
    n_timed: 10,
    ms: 50_000,
  }))

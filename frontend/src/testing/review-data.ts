import type { components } from '@/lib/api/schema'
import { photograph } from './data'

type Schemas = components['schemas']
export type TestCase = Schemas['ReviewCaseDetailOut']
type Pair = Schemas['ReviewPairOut']
type Answer = Schemas['ReviewAnswerOut']

const image = (id: number) => ({ id, key: `photo-${id}`, thumbnail: photograph.thumbnail })
const person = (id: number, name: string) => ({ id, username: name.toLowerCase(), display_name: name })

export function answer(judgment: number, label: Answer['label'], changes: Partial<Answer> = {}): Answer {
  const names = ['Ana', 'Ben', 'Cleo', 'Dan']
  return {
    judgment,
    annotator: person(judgment, names[(judgment - 1) % names.length] ?? 'Ana'),
    label,
    seconds: 3.5,
    lens: null,
    edits: [],
    comment: '',
    is_generic: false,
    is_surplus: false,
    is_counted: true,
    reliability: { k: 9, n: 10, share: 0.9, low: 0.6, high: 0.98 },
    ...changes,
  }
}

export function pair(candidate: number, changes: Partial<Pair> = {}): Pair {
  const answers = changes.answers ?? [answer(1, 'good'), answer(2, 'good'), answer(3, 'bad')]
  const n = (label: Answer['label']) => answers.filter((each) => each.label === label).length
  return {
    candidate,
    key: `key-${candidate}`,
    text: `Caption ${candidate}`,
    image: image(candidate),
    query: null,
    is_control: false,
    control_label: null,
    control_labels: [],
    verdict: null,
    consensus: null,
    majority: 'good',
    votes: { good: n('good'), bad: n('bad'), unsure: n('unsure') },
    answers,
    elsewhere: [],
    model_votes: [],
    remarks: [],
    ...changes,
  }
}

/** A case of one pair, of which two of three people say good. */
export function pairCase(id: number, changes: Partial<TestCase> = {}): TestCase {
  const pairs = changes.pairs ?? [pair(id)]
  return {
    id,
    kind: 'pair',
    reasons: [{ code: 'sample', params: {}, at: '2026-03-01T10:00:00Z' }],
    priority: 100 - id,
    state: 'open',
    outcome: null,
    text: `Caption ${id}`,
    image: image(id),
    query: null,
    annotator: null,
    votes: pairs[0]?.votes ?? { good: 0, bad: 0, unsure: 0 },
    n_pairs: pairs.length,
    held_by: null,
    second_look: false,
    opened_at: '2026-03-01T10:00:00Z',
    closed_at: null,
    closed_by: null,
    pairs,
    ...changes,
  }
}

/** A task of Ana's with three captions, all of which she calls good. */
export function pageCase(id: number, changes: Partial<TestCase> = {}): TestCase {
  const pairs = [1, 2, 3].map((at) => pair(id * 10 + at, { answers: [answer(1, 'good')], majority: 'good' }))
  return pairCase(id, {
    kind: 'assignment',
    text: '',
    reasons: [{ code: 'first_work', params: {}, at: '2026-03-01T10:00:00Z' }],
    annotator: person(1, 'Ana'),
    pairs,
    n_pairs: 3,
    ...changes,
  })
}

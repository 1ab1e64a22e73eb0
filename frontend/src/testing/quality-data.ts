import type { Confusion, Headline, PairPage, PersonFigures } from '@/lib/api/figures'
import type {
  AgreementFigure,
  AgreementSlice,
  Annotator,
  AnnotatorDetail,
  Control,
  ControlSupply,
  Forecast,
  Policy,
  PolicyCollector,
  PolicyPreview,
} from '@/lib/api/served'

const person = { id: 2, username: 'bob', display_name: 'Bob' }

export const interval = {
  low: 0.41,
  high: 0.51,
  level: 0.95,
  n_replicates: 1000,
  undefined_share: 0,
  n_groups: 8,
  seed: 1,
  how: 'bootstrap' as const,
  reason_code: null,
}

const figure: AgreementFigure = {
  measure: 'alpha_nominal',
  reading: 'value',
  value: 0.46,
  reason_code: null,
  reason: '',
  interval,
  n_items: 10,
  n_judgments: 30,
  prevalence: { bad: 0.3, good: 0.6, unsure: 0.1 },
}

export const slice = (value: string): AgreementSlice => ({
  value,
  n_judgments: 30,
  n_pairs: 10,
  figures: [
    figure,
    {
      ...figure,
      reading: 'missing',
      value: null,
      interval: null,
      reason_code: 'one_label',
      reason: 'All judgments that count here are the same.',
    },
  ],
})

export const annotator: Annotator = {
  user: person,
  state: 'active',
  is_by_hand: false,
  needs_review: true,
  reasons: [],
  hits: 16,
  late: 0,
  skips: 1,
  graded: 8,
  failed: 6,
  passed: { k: 2, n: 8, share: 0.25, low: 0.07, high: 0.59 },
  agreement: null,
  seconds: 3.2,
  pace: null,
  active_seconds: null,
  flags: [],
  last_active_at: '2026-03-01T10:00:00Z',
}

export const annotatorDetail: AnnotatorDetail = {
  annotator,
  findings: [
    {
      user: person,
      rule: 0,
      collector: 'control_failures',
      action: 'exclude',
      evidence: { n: 8, share: 0.75, threshold: 0.7 },
    },
  ],
  decisions: [],
  decidable: ['active', 'paused', 'excluded', 'policy', 'reviewed'],
}

const exclude: Policy['rules'][number] = {
  collector: 'control_failures',
  action: 'exclude',
  condition: { threshold: 0.7, min_n: 4, window: null, p_value: null, unsure_fails: false },
}

export const policy = (changes: Partial<Policy> = {}): Policy => ({
  version: 1,
  rules: [exclude],
  note: '',
  created_by: person,
  created_at: '2026-03-01T10:00:00Z',
  in_force_since: null,
  is_in_force: false,
  ...changes,
})

export const collectors: PolicyCollector[] = [
  {
    name: 'control_failures',
    label: 'Fails hidden controls',
    share_of: 'share of graded controls failed',
    counts: 'graded controls',
    threshold: 0.7,
    min_n: 4,
    window: null,
    p_value: null,
    action: 'exclude',
    has_window: true,
    has_p_value: false,
    has_unsure_fails: true,
    actions: ['review', 'warn', 'pause', 'exclude'],
  },
  {
    name: 'skips',
    label: 'Skips page after page',
    share_of: 'share of HITs met that were left to others',
    counts: 'HITs met',
    threshold: 0.5,
    min_n: 20,
    window: null,
    p_value: null,
    action: 'review',
    has_window: false,
    has_p_value: false,
    has_unsure_fails: false,
    actions: ['review', 'warn', 'pause', 'exclude'],
  },
]

export const policyPreview: PolicyPreview = {
  run: 'preview-run',
  worked_out_at: '2026-03-01T10:00:00Z',
  effect: {
    until: 240,
    digest: 'd',
    n_people: 3,
    states: { active: 2, excluded: 1 },
    changes: [
      {
        user: person,
        was: 'active',
        becomes: 'excluded',
        needs_review: false,
        is_by_hand: false,
        reasons: [{ code: '', message: 'Too many hidden checks were missed.', params: {} }],
        collectors: ['control_failures'],
        n_judgments: -80,
      },
    ],
    n_judgments_stop: 80,
    n_judgments_start: 0,
    n_pairs_reopen: 80,
    n_pairs_close: 0,
    n_labels_change: 0,
  },
  findings: [],
}

const thumbnail = { url: '/media/1.webp', width: 320, height: 240 }

export const control: Control = {
  id: 3,
  candidate: 30,
  image: { id: 7, key: 'photo-7', thumbnail: { small: thumbnail, large: thumbnail } },
  query: null,
  text: 'A violin on ice.',
  accepted: ['bad'],
  is_quiz: false,
  explanation: '',
  origin: 'person',
  state: 'quarantined',
  why: { code: '', message: '4 of 5 good annotators failed it.', params: {} },
  n_met: 5,
  n_passed: 1,
  n_failed: 4,
  n_unsure: 0,
  created_by: 'Alice',
  created_at: '2026-03-01T10:00:00Z',
}

export const supply: ControlSupply = {
  rate: 0.1,
  n_active: 4,
  n_quiz: 2,
  n_quarantined: 1,
  n_retired: 0,
  n_undealt: 0,
  hits_left: 2000,
  looked_at: 400,
  wanted: 40,
  available: 4,
  is_short: true,
  hits_per_control: 1.5,
  is_ungraded: false,
  sight: { n_people: 3, n_good: 3, is_blind: false },
}

export const forecast: Forecast = {
  as_of: null,
  overlap: 'adaptive',
  level: 0.95,
  slots_open: 100,
  hits_unfinished: 40,
  hits_waiting: 0,
  judgments: { mean: 1250, low: 1100, high: 1400 },
  assignments: { mean: 125, low: 110, high: 140 },
  seconds_per_judgment: { mean: 5, low: 4, high: 6 },
  seconds_per_assignment: 48.5,
  assignments_timed: 60,
  hours: { mean: 1.7, low: 1.4, high: 2.1 },
  hours_reason: null,
  cost: null,
  cost_reason: { code: 'forecast_no_pay', message: 'Enter the pay per task.', params: {} },
}

const share = (k: number, n: number) => ({ k, n, share: k / n, low: k / n - 0.1, high: k / n + 0.1 })
const eve = { id: 3, username: 'eve', display_name: '' }
const trendDay = { low: 0.2, high: 0.4, n_items: 10, n_judgments: 30, reason_code: null }

export const headline: Headline = {
  measure: 'alpha',
  reading: 'value',
  value: 0.46,
  low: 0.41,
  high: 0.51,
  reason_code: null,
  n_items: 10,
  n_judgments: 30,
  as_of: '2026-03-01T10:00:00Z',
  is_stale: false,
  trend: [
    { day: '2026-03-01', value: 0.3, ...trendDay },
    { day: '2026-03-02', value: 0.5, ...trendDay, low: 0.45, high: 0.6 },
  ],
}

export const confusion: Confusion = {
  first: person,
  second: eve,
  first_label: 'good',
  second_label: 'bad',
  share: share(7, 20),
}

export const sharedPairs: PairPage = {
  first: person,
  second: eve,
  kappa: 0.08,
  as_of: null,
  is_stale: false,
  labels: ['good', 'bad', 'unsure'],
  interval: { ...interval, low: 0, high: 0.16 },
  reason_code: null,
  n_items: 20,
  confusion: [
    [5, 7, 0],
    [1, 6, 0],
    [0, 0, 1],
  ],
  items: {
    next: null,
    previous: null,
    results: [
      {
        candidate: 30,
        key: 'k',
        image: { id: 7, alt: 'Photograph 7', thumbnail: { small: thumbnail, large: thumbnail } },
        text: 'A violin on ice.',
        first_judgment: 1,
        second_judgment: 2,
        first_label: 'good',
        second_label: 'bad',
        verdict: null,
      },
    ],
  },
}

export const personFigures: PersonFigures = {
  as_of: '2026-03-01T10:00:00Z',
  with_consensus: share(30, 60),
  controls: share(2, 8),
  kappa: { value: 0.05, low: -0.05, high: 0.11, n_items: 60, reason_code: null },
  confusion: [
    [20, 10, 0],
    [15, 10, 0],
    [3, 2, 0],
  ],
  label_mix: { good: 38, bad: 22, unsure: 0 },
  straight_lining: { n_hits: 16, n_uniform: 9, expected: 2.1, longest_run: 8, p_value: 0.00001 },
  option_position: { test: 'chi_square', statistic: 1, degrees: 2, effect: 0.04, n: 60, p_value: 0.31 },
  item_position: { test: 'none', statistic: 0, degrees: 0, effect: 0, n: 0, p_value: null },
  pace: 640,
  active_seconds: 7500,
  seconds_median: 3.2,
  n_judgments: 60,
  is_stale: false,
  annotator: person,
  n_counted: 60,
  n_turns: 16,
  n_timed: 60,
  labels: ['good', 'bad', 'unsure'],
  flags: [],
  days: [
    {
      day: '2026-03-01',
      n: 60,
      active_seconds: 7500,
      seconds_median: 3.2,
      controls: share(2, 8),
      with_consensus: share(30, 60),
    },
  ],
  feedback_at: ['2026-03-01'],
}

import { expect, test } from 'vitest'
import type { AgreementFigure, AgreementSlice, PolicyCollector, PolicyEffect } from '@/lib/api/served'
import { collectors, supply } from '@/testing/quality-data'
import { faultInWords } from './fault-words'
import {
  figureOf,
  formatFigure,
  formatInterval,
  intervalInWords,
  kindsOf,
  rowsOf,
  sliceName,
  undefinedInWords,
  whyNoFigure,
} from './figures'
import { css, heatColour, inkOn } from './heat'
import { effectInWords, warningInWords, whyInWords } from './quality-words'
import { freshRule, ruleInWords } from './rules'

const figure = (changes: Partial<AgreementFigure>): AgreementFigure => ({
  measure: 'alpha_nominal',
  reading: 'value',
  value: 0.5,
  reason_code: null,
  reason: '',
  interval: null,
  n_items: 10,
  n_judgments: 30,
  prevalence: {},
  ...changes,
})

const effect: PolicyEffect = {
  until: 9,
  digest: 'd',
  n_people: 3,
  states: {},
  changes: [],
  n_judgments_stop: 80,
  n_judgments_start: 0,
  n_pairs_reopen: 1,
  n_pairs_close: 0,
  n_labels_change: 0,
}

test.each([
  [{ n_active: 0 }, /^This project needs 10% hidden test questions but has none/],
  [{}, /^There are too few hidden test questions\. The next 400 tasks need about 40, but 4 are left/],
  [{ n_undealt: 3 }, /^3 test questions are in no task yet\. Build the tasks again\.$/],
  [{ rate: 0, n_active: 0, is_ungraded: true }, /^Unclear pairs get more answers in this project/],
  [{ n_active: 0, is_ungraded: true }, /but has none\. .* Unclear pairs get more answers/],
  [{ is_short: false }, /^$/],
  [
    { looked_at: 0, sight: { n_people: 6, n_good: 0, is_blind: true } },
    /^No annotator passes 8 of 10 hidden test questions/,
  ],
  [
    { is_short: false, sight: { n_people: 12, n_good: 2, is_blind: true } },
    /^Only 2 of 12 annotators pass 8 of 10 .* the test questions that most annotators fail\.$/,
  ],
])('a supply that is short says in which way: %j', (changes, said) => {
  expect(warningInWords({ ...supply, ...changes })).toMatch(said)
})

const [known] = collectors
if (!known) throw new Error('no collector among the test data')
const collector: PolicyCollector = { ...known, actions: ['warn', 'exclude'] }

test('figures stand in rows of a measure, Krippendorff first, a column for each reading', () => {
  const rows = rowsOf([figure({ measure: 'fleiss' }), figure({}), figure({ reading: 'missing', value: 0.6 })])
  expect(rows.map(({ measure }) => measure)).toEqual(['alpha_nominal', 'fleiss'])
  expect(rows[0]?.byReading.missing?.value).toBe(0.6)
})

test.each([
  ['source', 'other_image', 'Other images'],
  ['source', 'query', 'Queries'],
  ['source', 'alt_text', 'Alt text'],
  ['edit', 'object_name', 'Name of a thing'],
] as const)('a slice by %s says in words what %s is', (scope, value, words) => {
  expect(sliceName(scope, value)).toBe(words)
})

test('a measure without a figure under a reading says why', () => {
  expect(whyNoFigure('alpha_ordinal', 'value')).toMatch(/^Only for/)
  expect(whyNoFigure('alpha_nominal', 'middle')).toMatch(/^Not for/)
  expect(whyNoFigure('alpha_nominal', 'value')).toBe('Calculating.')
})

test('which figures there are is gathered from all slices', () => {
  const slice = (value: string, figures: AgreementFigure[]): AgreementSlice => ({
    value,
    n_judgments: 1,
    n_pairs: 1,
    figures,
  })
  const slices = [slice('a', [figure({ measure: 'cohen' })]), slice('b', [figure({}), figure({ measure: 'cohen' })])]
  expect(kindsOf(slices).map(({ measure }) => measure)).toEqual(['alpha_nominal', 'cohen'])
  expect(figureOf(slices[0] ?? slice('', []), { measure: 'alpha_nominal', reading: 'value' })).toBeUndefined()
})

test('figures have two decimals and a true minus; an interval without ends is none', () => {
  expect(formatFigure(-0.056)).toBe('−0.06')
  expect(formatFigure(-0.004)).toBe('0.00')
  const interval = {
    low: 0.1,
    high: 0.2,
    level: 0.95,
    n_replicates: 9,
    undefined_share: 0,
    n_groups: 3,
    seed: 1,
    how: 'bootstrap' as const,
    reason_code: null,
  }
  expect(formatInterval(interval)).toBe('0.10 to 0.20')
  expect(formatInterval({ ...interval, low: null, high: null })).toBeNull()
  expect(undefinedInWords(interval)).toBeNull()
  expect(intervalInWords({ ...interval, low: null, reason_code: 'few_by_chance' })).toContain('one answer is too rare')
  const half = { ...interval, undefined_share: 0.37 }
  expect(undefinedInWords(half)).toBe('37% of resamples had no value and are left out')
  expect(undefinedInWords({ ...half, low: null, high: null })).toBeNull()
})

test('text on every colour of the heat map has a contrast of at least 4.5', () => {
  const linear = (channel: number) => (channel <= 10 ? channel / 3294 : ((channel / 255 + 0.055) / 1.055) ** 2.4)
  for (let step = -5; step <= 105; step += 1) {
    const colour = heatColour(step / 100)
    const [red, green, blue] = colour.map(linear)
    const light = 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
    const contrast = inkOn(colour) === 'white' ? 1.05 / (light + 0.05) : (light + 0.05) / 0.05
    expect(contrast, css(colour)).toBeGreaterThanOrEqual(4.5)
  }
})

test('a rule is a sentence, and another for each limit', () => {
  expect(ruleInWords(freshRule(collector))).toBe('When failed test questions reach 70% of at least 4: exclude.')
  const rule = { ...freshRule(collector), condition: { threshold: 0.5, min_n: 9, window: 200, unsure_fails: true } }
  expect(ruleInWords(rule)).toMatch(/Only the newest 200 tasks count\. Unsure counts as failed\.$/)
  const effect = {
    collector: 'position_bias' as const,
    action: 'review' as const,
    condition: { threshold: 0.3, min_n: 50 },
  }
  expect(ruleInWords(effect)).toBe(
    'When the effect of the position reaches 0.3 with at least 50 answers: ask for a review.',
  )
})

test('the faults of rules are told in the words of the form', () => {
  const fault = (code: string, params: Record<string, unknown>, message = '') => ({ code, params, message })
  const said = [
    fault('rule_twice', { number: 3, collector: 'skips' }),
    fault('rule_share', { number: 1, collector: 'skips', field: 'threshold', most: 1, value: '0' }),
    fault('rule_share', { number: 5, collector: 'position_bias', field: 'threshold', most: 1, value: '0' }),
    fault('rule_share', { number: 2, collector: 'too_fast', field: 'p_value', most: 0.05, value: '0.5' }),
    fault('rule_count', { number: 2, collector: 'too_fast', field: 'window', most: 100_000, value: '1.5' }),
    fault('rules_too_many', { most: 30 }),
    fault('rule_collector', { number: 1 }, 'Rule 1, collector: nothing is not one of skips.'),
  ]
  expect(said.map(faultInWords)).toEqual([
    'Rule 3: this rule is already in the list.',
    'Rule 1, From, in percent: enter a number above 0 and up to 100.',
    'Rule 5, From an effect size of: enter a number above 0 and up to 1.',
    'Rule 2, False alarms, at most, in percent: enter a number above 0 and up to 5.',
    'Rule 2, Only the newest tasks: enter a whole number from 1 to 100,000.',
    'A version has at most 30 rules.',
    'Rule 1, collector: nothing is not one of skips.',
  ])
})

test('why a control is out of use is told in our words, by whomever it was put there', () => {
  const params = { failed: 4, good: 5, p: '0.031', on: '2026-11-22' }
  expect(whyInWords({ code: 'control_failed_by_good', params, message: '' })).toMatch(
    /^4 of 5 good annotators failed it \(p = 0\.031\), .*22.*2026\.$/,
  )
  expect(whyInWords({ code: '', params: {}, message: 'It is a seal.' })).toBe('It is a seal.')
})

test('what a policy would change, and changed, is told in sentences', () => {
  expect(effectInWords(effect)).toEqual(['80 answers would no longer count.', '1 pair would need more answers.'])
  expect(effectInWords(effect, true)[0]).toBe('80 answers no longer counted.')
  expect(effectInWords({ ...effect, n_judgments_stop: 0, n_pairs_reopen: 0 })).toEqual([
    'The same answers would count as before.',
  ])
})

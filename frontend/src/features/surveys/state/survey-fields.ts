import type { Survey, SurveyIn } from '@/lib/api/served'

/** What the form holds: every field of a survey, a date as the field of the browser writes it. */
export interface SurveyFields {
  title: string
  consent: string
  run_by: string
  model: string
  n_pairs: number
  pairs_each: number
  distractors_each: number
  distractors_from: Survey['distractors_from']
  closes: string
  most: number | null
  has_link: boolean
  failPercent: number
  min_graded: number
  counts_unfinished: boolean
}

export const usualFields: SurveyFields = {
  title: '',
  consent: '',
  run_by: '',
  model: '',
  n_pairs: 100,
  pairs_each: 25,
  distractors_each: 5,
  distractors_from: 'other_images',
  closes: '',
  most: 40,
  has_link: true,
  failPercent: 70,
  min_graded: 2,
  counts_unfinished: false,
}

export const fieldsOf = (survey: Survey): SurveyFields => ({
  title: survey.title,
  consent: survey.consent,
  run_by: survey.run_by,
  model: survey.model,
  n_pairs: survey.n_pairs,
  pairs_each: survey.pairs_each,
  distractors_each: survey.distractors_each,
  distractors_from: survey.distractors_from,
  closes: survey.closes_at === null ? '' : asLocal(new Date(survey.closes_at)),
  most: survey.max_participants,
  has_link: survey.has_link,
  failPercent: Math.round(survey.fail_rate * 100),
  min_graded: survey.min_graded,
  counts_unfinished: survey.counts_unfinished,
})

/** What may change once a survey is open. */
export function rulesFrom(fields: SurveyFields): Partial<SurveyIn> {
  return {
    closes_at: fields.closes === '' ? null : new Date(fields.closes).toISOString(),
    max_participants: fields.most,
    has_link: fields.has_link,
    fail_rate: fields.failPercent / 100,
    min_graded: fields.min_graded,
    counts_unfinished: fields.counts_unfinished,
  }
}

export function surveyFrom(fields: SurveyFields): SurveyIn {
  const { title, consent, run_by, model, n_pairs, pairs_each, distractors_each, distractors_from } = fields
  return {
    title,
    consent,
    run_by,
    ...(model && { model }),
    n_pairs,
    pairs_each,
    distractors_each,
    distractors_from,
    ...rulesFrom(fields),
  }
}

const two = (value: number) => String(value).padStart(2, '0')

/** A moment in the time of this place, as a date field takes it: 2026-01-05T10:00. */
export const asLocal = (at: Date): string =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Survey, SurveyPairResult, SurveyParticipant, SurveyResults } from '@/lib/api/served'
import { alice, curated } from '@/testing/catalogue-data'
import { harbour } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { SurveyPage } from './survey-page'
import { SurveysPage } from './surveys-page'

const headed = { ...harbour, role: 'head_annotator' as const }
const survey = (changes: Partial<Survey> = {}): Survey => ({
  id: 7,
  title: 'Hard captions',
  consent: 'Look well.',
  run_by: 'the lab',
  model: 'clip-l',
  model_digest: 'd'.repeat(64),
  n_pairs: 100,
  pairs_each: 25,
  distractors_each: 5,
  distractors_from: 'other_images',
  seed: 3,
  fail_rate: 0.7,
  min_graded: 2,
  counts_unfinished: false,
  closes_at: null,
  max_participants: 40,
  has_link: true,
  created_at: '2026-01-05T10:00:00Z',
  opened_at: '2026-01-05T11:00:00Z',
  closed_at: null,
  state: 'open',
  closed_by: null,
  url: 'http://localhost/s/abc',
  n_items: 2,
  n_participants: 3,
  n_finished: 2,
  n_links: 0,
  n_links_used: 0,
  ...changes,
})
const thumbnail = { url: '/media/1.webp', width: 400, height: 300 }
const pair = (position: number, share: SurveyPairResult['share']): SurveyPairResult => ({
  position,
  text: `Caption ${position}`,
  key: String(position),
  score: position / 100,
  image_key: `photo-${position}`,
  image: position,
  thumbnail: { small: thumbnail, large: thumbnail },
  n: share?.n ?? 0,
  share,
})
const results: SurveyResults = {
  n_participants: 3,
  n_finished: 2,
  n_unfinished: 1,
  n_excluded: 1,
  n_counted: 1,
  agreement: { n_pairs: 2, n_answers: 38, least_n: 7, most_n: 31, mean: 0.88, minimum: 0.857, minimum_n: 7 },
  histogram: Array.from({ length: 10 }, (_, at) => ({ low: at / 10, high: (at + 1) / 10, n: at > 7 ? 1 : 0 })),
  pairs: [
    pair(1, { k: 28, n: 31, share: 28 / 31, low: 0.751, high: 0.967 }),
    pair(2, { k: 6, n: 7, share: 6 / 7, low: 0.487, high: 0.974 }),
  ],
  distractors: [pair(1, null)],
}
const person = (number: number, standing: SurveyParticipant['standing']): SurveyParticipant => ({
  number,
  started_at: '2026-01-05T11:00:00Z',
  finished_at: null,
  n_dealt: 30,
  n_answered: 30,
  seconds: 250,
  n_right: standing === 'excluded' ? 1 : 5,
  n_graded: 5,
  fail_rate: 0,
  standing,
})
const page = (rows: unknown[]) => HttpResponse.json({ next: null, previous: null, results: rows })
const place = '*/api/v1/projects/:slug/surveys'

const serve = (one: Survey) =>
  server.use(
    http.get(`${place}/7`, () => HttpResponse.json(one)),
    http.get(`${place}/7/results`, () => HttpResponse.json(results)),
    http.get(`${place}/7/participants`, () => page([person(1, 'counted'), person(2, 'excluded')])),
  )
const show = (project = curated) => renderPage(<SurveyPage project={project} id={7} onGone={vi.fn()} />, alice)

beforeEach(() => {
  server.use(
    http.get(place, () => page([])),
    http.get(`${place}/models`, () => HttpResponse.json([{ name: 'clip-l', digest: 'd', n_hard: 12 }])),
    http.get('*/difficulty/examples', () =>
      page([
        {
          id: 1,
          image: { id: 2, key: 'quay', thumbnail: { small: thumbnail, large: thumbnail } },
          text: 'A slow goodbye',
        },
      ]),
    ),
  )
})

test('a curator makes a draft with the usual numbers', async () => {
  let sent: Record<string, unknown> = {}
  server.use(
    http.post(place, async ({ request }) => {
      sent = (await request.json()) as Record<string, unknown>
      return HttpResponse.json(survey({ state: 'draft' }), { status: 201 })
    }),
  )
  const onOpen = vi.fn()
  const { user } = renderPage(<SurveysPage project={curated} onOpen={onOpen} />, alice)
  await waitFor(() => expect(screen.getByRole('button', { name: 'Make a survey' })).toBeEnabled())
  await user.click(screen.getByRole('button', { name: 'Make a survey' }))
  fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Hard captions' } })
  fireEvent.change(screen.getByLabelText('Run by'), { target: { value: 'the lab' } })
  fireEvent.change(screen.getByLabelText('Consent text'), { target: { value: 'Look well.' } })
  await user.click(screen.getByRole('button', { name: 'Make the draft' }))
  await waitFor(() => expect(onOpen).toHaveBeenCalledWith(7))
  const usual = { n_pairs: 100, pairs_each: 25, distractors_each: 5, max_participants: 40, closes_at: null }
  expect(sent).toMatchObject({ title: 'Hard captions', fail_rate: 0.7, ...usual })
})

test('without hard captions the page leads to the pipeline', async () => {
  server.use(http.get(`${place}/models`, () => HttpResponse.json([])))
  renderPage(<SurveysPage project={curated} onOpen={vi.fn()} />, alice)
  expect(await screen.findByRole('heading', { name: 'No hard captions yet' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Make a survey' })).toBeDisabled()
})

test('without a survey a head annotator is led to the hardest captions', async () => {
  renderPage(<SurveysPage project={headed} onOpen={vi.fn()} />, alice)
  const link = await screen.findByRole('link', { name: 'See the hardest captions' })
  expect(link).toHaveAttribute('href', '/projects/harbour/difficulty')
  expect(await screen.findByText('A slow goodbye')).toBeVisible()
})

test('the results have the mean, the minimum with its answers, and the interval of each pair', async () => {
  serve(survey())
  show()
  expect(await screen.findByText('88%')).toBeVisible()
  expect(screen.getByText('85.7% of 7 answers')).toBeVisible()
  const rows = within(screen.getByRole('grid', { name: 'Pairs' })).getAllByRole('row')
  expect(rows[1]).toHaveTextContent('Caption 1')
  expect(rows[1]).toHaveTextContent('90.3% 75.1% to 96.7%')
  expect(screen.getByRole('link', { name: 'Pairs as CSV' })).toHaveAttribute(
    'href',
    '/api/v1/projects/harbour/surveys/7/pairs.csv',
  )
})

test('the pairs with the lowest share come first when its title is pressed', async () => {
  serve(survey())
  const { user } = show()
  await user.click(await screen.findByRole('columnheader', { name: /Share of good/ }))
  const rows = within(screen.getByRole('grid', { name: 'Pairs' })).getAllByRole('row')
  expect(rows[1]).toHaveTextContent('Caption 2')
})

test('participants are numbers, with the reason why they do not count', async () => {
  serve(survey())
  const { user } = show()
  await user.click(await screen.findByRole('tab', { name: 'Participants' }))
  const table = within(await screen.findByRole('grid', { name: 'Participants' }))
  expect(table.getAllByRole('row')[2]).toHaveTextContent(/Participant 2Excluded30 of 30.*1 of 5/)
})

test('a head annotator reads results and changes nothing', async () => {
  serve(survey({ url: null }))
  show(headed)
  expect(await screen.findByText('88%')).toBeVisible()
  expect(screen.queryByRole('tab', { name: 'Links' })).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Close the survey' })).not.toBeInTheDocument()
})

test('an open survey changes its limits and rules alone', async () => {
  serve(survey())
  let sent: unknown
  server.use(
    http.patch(`${place}/7`, async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json(survey())
    }),
  )
  const { user } = show()
  await user.click(await screen.findByRole('tab', { name: 'Settings' }))
  expect(screen.queryByLabelText('Consent text')).not.toBeInTheDocument()
  await user.clear(screen.getByLabelText('Participants'))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(sent).toEqual({
      closes_at: null,
      max_participants: null,
      has_link: true,
      fail_rate: 0.7,
      min_graded: 2,
      counts_unfinished: false,
    }),
  )
})

test('a draft that cannot open says why', async () => {
  const nothing = { n_asked: 100, pairs: [], distractors: [] }
  serve(survey({ state: 'draft', opened_at: null }))
  server.use(
    http.get(`${place}/7/preview`, () => HttpResponse.json(nothing)),
    http.post(`${place}/7/open`, () => refusal(400, 'too_few_distractors', 'There are only 0 distractors.')),
  )
  const { user } = show()
  expect(await screen.findByText(/There are only 0 hard captions with a score/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Open the survey' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('There are only 0 distractors.')
})

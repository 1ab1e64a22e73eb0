import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { alice, curated, images } from '@/testing/catalogue-data'
import { refusal } from '@/testing/handlers'
import {
  annotator,
  annotatorDetail,
  collectors,
  control,
  forecast,
  policy,
  policyPreview,
  slice,
  supply,
} from '@/testing/quality-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { QualityPage, type QualityTab } from './quality-page'

const page = (results: unknown[]) => ({ next: null, previous: null, results })

const prevalence = { good: 0.6, bad: 0.3, unsure: 0.1 }
const drawn = {
  low: 0.12,
  high: 0.66,
  level: 0.95,
  n_replicates: 1000,
  undefined_share: 0,
  n_groups: 9,
  seed: 0,
  how: 'bootstrap',
  reason_code: null,
}
const half = { ...drawn, undefined_share: 0.37 }
const ofMean = { reason_code: null, prevalence, interval: { ...drawn, low: 0.15, high: 0.55, how: 'left_out' } }
const undrawable = { ...drawn, low: null, high: null, n_groups: 1, reason_code: 'one_cluster' }

const nobody = { reason_code: 'no_two', prevalence, interval: null }

beforeEach(() => {
  server.use(
    http.get('*/projects/:slug/agreement', ({ request }) => {
      const scope = new URL(request.url).searchParams.get('scope') ?? 'overall'
      const slices = scope === 'overall' ? [slice('')] : [slice('human'), slice('cc3m')]
      return HttpResponse.json({ scope, as_of: '2026-03-01T10:00:00Z', is_stale: false, slices })
    }),
    http.get('*/agreement/annotators', () =>
      HttpResponse.json({
        as_of: null,
        is_stale: false,
        annotators: [
          { id: 1, username: 'bob', display_name: 'Bob', mean: 0.4, n_others: 1, n_items: 20, ...ofMean },
          { id: 2, username: 'eve', display_name: '', mean: 0.3, n_others: 2, n_items: 24, ...ofMean, interval: half },
          { id: 3, username: 'ida', display_name: '', mean: null, n_others: 0, n_items: 1, ...nobody },
        ],
        pairs: [
          { first: 1, second: 2, value: 0.4, reason_code: null, n_items: 20, prevalence, interval: drawn },
          { first: 1, second: 3, value: null, reason_code: 'no_overlap', n_items: 0, prevalence: {}, interval: null },
          { first: 2, second: 3, value: 0.2, reason_code: null, n_items: 4, prevalence, interval: undrawable },
        ],
      }),
    ),
    http.get('*/projects/:slug/annotators', () => HttpResponse.json(page([annotator]))),
    http.get('*/annotators/:id', () => HttpResponse.json(annotatorDetail)),
    http.get('*/projects/:slug/policies', () => HttpResponse.json(page([policy()]))),
    http.get('*/policies/defaults', () => HttpResponse.json({ rules: policy().rules, collectors })),
    http.get('*/policies/:version', () => HttpResponse.json({ policy: policy(), replays: [] })),
    http.post('*/policies/:version/preview', () => HttpResponse.json({ run: 'preview-run' }, { status: 202 })),
    http.get('*/runs/preview-run', () => HttpResponse.json({ id: 'preview-run', status: 'succeeded' })),
    http.get('*/policies/:version/preview', () => HttpResponse.json(policyPreview)),
    http.get('*/projects/:slug/controls', () => HttpResponse.json(page([control]))),
    http.get('*/projects/:slug/images', () => HttpResponse.json(page(images(1, 9)))),
    http.get('*/controls/supply', () => HttpResponse.json(supply)),
    http.get('*/forecast', () => HttpResponse.json(forecast)),
  )
})

const open = (tab: QualityTab, role: 'curator' | 'head_annotator' = 'curator') =>
  renderPage(<QualityPage project={{ ...curated, role }} tab={tab} onTab={() => undefined} />, alice)

test('agreement stands under all readings of unsure; what is undefined says why', async () => {
  open('agreement')
  const table = await screen.findByRole('grid', { name: 'Agreement' })
  expect(within(table).getByText('0.46')).toBeVisible()
  expect(within(table).getByText('0.41 to 0.51')).toBeVisible()
  expect(within(table).getByText('All judgments that count here are the same.')).toBeVisible()
  expect(within(table).getByText('Not for “unsure” as halfway.')).toBeVisible()
  expect(screen.getByText(/30 answers on 10 pairs; 60% good, 30% bad, 10% unsure/)).toBeVisible()
})

test('every two annotators have a cell with their figure, n and interval, or a dash with its reason', async () => {
  open('agreement')
  const matrix = await screen.findByRole('group', { name: 'Cohen’s kappa of every two annotators' })
  expect(within(matrix).getAllByText('n 20')[0]).toBeVisible()
  expect(within(matrix).getAllByText('no common pairs')[0]).toBeVisible()
  expect(within(matrix).getAllByRole('cell', { name: /—.*they have no common pairs.*n 0/ })).toHaveLength(2)
  expect(within(matrix).getAllByText('0.12 to 0.66')[0]).toBeVisible()
  expect(within(matrix).getAllByText('one image only')[0]).toBeVisible()
  const ofBob = within(matrix).getByRole('cell', { name: /0\.40.*95% interval 0\.15 to 0\.55.*n 20/ })
  expect(ofBob).toHaveAttribute('title', 'Bob and all others: 0.40, 95% interval 0.15 to 0.55, of 20 pairs')
  expect(within(matrix).getByText('37% of resamples undefined')).toBeVisible()
  expect(within(matrix).getByRole('cell', { name: /37% of resamples had no value/ })).toBeVisible()
  expect(
    within(matrix).getByRole('cell', { name: /—.*too few common pairs with any other annotator.*n 1/ }),
  ).toBeVisible()
  const [cell] = within(matrix).getAllByRole('cell', { name: /0\.40.*95% interval 0\.12 to 0\.66/ })
  expect(cell).toHaveAttribute('title', 'Bob and eve: 0.40, 95% interval 0.12 to 0.66, of 20 pairs')
  expect(within(matrix).getAllByText(/no interval: all their common pairs are of one image/)[0]).toBeInTheDocument()
})

test('of very many annotators the matrix shows those who judged most in common, and says so', async () => {
  const people = [1, 2, 3].map((id) => ({
    id,
    username: `p${String(id)}`,
    display_name: '',
    mean: 0.4,
    n_others: 2,
    n_items: 9,
    ...ofMean,
  }))
  const pair = { first: 1, second: 2, value: 0.4, reason_code: null, n_items: 9, prevalence }
  const interval = { ...undrawable, reason_code: 'beyond_largest' }
  server.use(
    http.get('*/agreement/annotators', () =>
      HttpResponse.json({ as_of: null, is_stale: false, annotators: people, pairs: [{ ...pair, interval }] }),
    ),
  )
  open('agreement')
  const matrix = await screen.findByRole('group', { name: 'Cohen’s kappa of every two annotators' })
  expect(within(matrix).getAllByRole('row')).toHaveLength(3)
  expect(within(matrix).getAllByText('not calculated')[0]).toBeVisible()
  expect(screen.getByText(/The table shows 2 of 3 annotators/)).toBeVisible()
})

test('a project without judgments is told what will be here', async () => {
  server.use(
    http.get('*/projects/:slug/agreement', () =>
      HttpResponse.json({ scope: 'overall', as_of: null, is_stale: false, slices: [] }),
    ),
  )
  open('agreement')
  expect(await screen.findByRole('heading', { name: 'No agreement yet' })).toBeVisible()
})

test('somebody is paused by hand, with a sentence that they read', async () => {
  let sent: unknown
  server.use(
    http.post('*/annotators/:id/state', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ ...annotatorDetail, annotator: { ...annotator, state: 'paused', is_by_hand: true } })
    }),
  )
  const { user } = open('annotators')
  await user.click(await screen.findByRole('row', { name: /Bob/ }))
  const drawer = await screen.findByRole('dialog', { name: 'Bob' })
  expect(await within(drawer).findByText(/Fails hidden test questions, 6 of 8 \(75%\)/)).toBeVisible()
  expect(within(drawer).getByRole('button', { name: 'Save the decision' })).toBeDisabled()
  await user.click(within(drawer).getByRole('radio', { name: 'Pause' }))
  await user.type(within(drawer).getByRole('textbox', { name: 'Why' }), 'Let us talk first.')
  await user.click(within(drawer).getByRole('button', { name: 'Save the decision' }))
  await waitFor(() => expect(sent).toEqual({ state: 'paused', reason: 'Let us talk first.' }))
})

test('a version shows whom and what it would change before it is applied', async () => {
  server.use(
    http.post('*/policies/1/apply', () =>
      HttpResponse.json({ run: '22222222-2222-4222-8222-222222222222' }, { status: 202 }),
    ),
    http.get('*/runs/:id', () => HttpResponse.json({ id: 'r', status: 'succeeded' })),
  )
  const { user } = open('policy')
  await user.click(await screen.findByRole('button', { name: 'Preview the changes' }))
  expect(await screen.findByText('80 answers would no longer count.')).toBeVisible()
  expect(screen.getByRole('row', { name: /Bob/ })).toHaveTextContent(/Active.*Excluded.*−80/)
  await user.click(screen.getByRole('button', { name: 'Apply version 1' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Apply' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
  expect(await screen.findByRole('button', { name: 'Preview the changes' })).toBeVisible()
})

test('a preview waits for the worker who works it out, and says why there is none', async () => {
  const statuses = ['queued', 'running', 'failed', 'succeeded']
  let nAsked = 0
  const error = { code: 'broken', message: 'The stage stopped at an error of ours.' }
  server.use(
    http.get('*/runs/preview-run', () => HttpResponse.json({ id: 'preview-run', status: statuses[nAsked++], error })),
  )
  const { user } = open('policy', 'head_annotator')
  await user.click(await screen.findByRole('button', { name: 'Preview the changes' }))
  expect(await screen.findByText('Waiting for a worker.')).toBeVisible()
  expect(await screen.findByText(/Connote calculates the changes/, {}, { timeout: 3000 })).toBeVisible()
  expect(await screen.findByRole('alert', {}, { timeout: 3000 })).toHaveTextContent('an error of ours')
})

test('a version waits for a worker in the open, and is not asked after once its run is over', async () => {
  const statuses = ['queued', 'running', 'failed']
  let nAsked = 0
  server.use(
    http.post('*/policies/1/apply', () => HttpResponse.json({ run: 'r' }, { status: 202 })),
    http.get('*/runs/r', () => HttpResponse.json({ id: 'r', status: statuses[nAsked++] ?? 'failed' })),
  )
  const { user } = open('policy')
  await user.click(await screen.findByRole('button', { name: 'Preview the changes' }))
  await user.click(await screen.findByRole('button', { name: 'Apply version 1' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Apply' }))
  expect(await screen.findByText(/Waiting for a worker/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Open the run' })).toHaveAttribute('href', '/projects/harbour/walk/runs/r')
  expect(screen.queryByRole('button', { name: 'Apply version 1' })).not.toBeInTheDocument()
  expect(await screen.findByText(/Connote applies version 1 now/, {}, { timeout: 3000 })).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Apply version 1' }, { timeout: 3000 })).toBeVisible()
  expect(nAsked).toBe(3)
})

test('a new version begins as a copy, takes another rule, and faults are told in words', async () => {
  let sent: { rules: unknown[] } | undefined
  server.use(
    http.post('*/projects/:slug/policies', async ({ request }) => {
      sent = (await request.json()) as { rules: unknown[] }
      return refusal(400, 'invalid_rules', 'The rules have a fault.', { rules: ['Rule 2 (skips), min_n: too few.'] })
    }),
  )
  const { user } = open('policy')
  await screen.findByRole('article', { name: 'Version 1' })
  await user.keyboard('n')
  const form = await screen.findByRole('form', { name: 'New version' })
  await user.click(within(form).getByRole('button', { name: /Add a rule/ }))
  await user.click(await screen.findByRole('option', { name: 'Skips page after page' }))
  await user.click(within(form).getByRole('button', { name: 'Save the version' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Rule 2 (skips), min_n: too few.')
  expect(sent?.rules).toEqual([
    policy().rules[0],
    { collector: 'skips', action: 'review', condition: { threshold: 0.5, min_n: 20 } },
  ])
})

test('controls warn before they run out, say why one is quarantined, and are put back by hand', async () => {
  let sent: unknown
  server.use(
    http.patch('*/controls/:id', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ ...control, state: 'active' })
    }),
  )
  const { user } = open('controls')
  expect(await screen.findByRole('alert')).toHaveTextContent('There are too few hidden test questions')
  expect(await screen.findByText('4 of 5 good annotators failed it.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: /Activate again/ }))
  await waitFor(() => expect(sent).toEqual({ state: 'active', reason: '' }))
})

test('a control is added with what is right of it', async () => {
  let sent: unknown
  server.use(
    http.post('*/projects/:slug/controls', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json(control, { status: 201 })
    }),
  )
  const { user } = open('controls')
  await screen.findByText('A violin on ice.')
  await user.keyboard('a')
  const dialog = await screen.findByRole('dialog', { name: 'Add a test question' })
  await user.click(await within(dialog).findByRole('radio', { name: 'Image 7' }))
  await user.type(within(dialog).getByRole('textbox', { name: 'Caption' }), 'A whale.')
  await user.click(within(dialog).getByRole('checkbox', { name: 'Unsure is correct too' }))
  await user.click(within(dialog).getByRole('button', { name: 'Add' }))
  await waitFor(() =>
    expect(sent).toEqual({
      image: 7,
      text: 'A whale.',
      accepted: ['bad', 'unsure'],
      explanation: '',
      is_quiz: false,
    }),
  )
})

test('where queries are judged, a control is a photograph of one of them', async () => {
  let sent: unknown
  const asked: (string | null)[] = []
  const queries = [
    { id: 3, text: 'A quiet place to wait' },
    { id: 4, text: 'Something is about to happen' },
  ]
  server.use(
    http.get('*/projects/:slug/queries', ({ request }) => {
      const text = new URL(request.url).searchParams.get('text')
      asked.push(text)
      return HttpResponse.json(page(queries.filter((query) => query.text.includes(text ?? ''))))
    }),
    http.post('*/projects/:slug/controls', async ({ request }) => {
      sent = await request.json()
      return refusal(400, 'invalid', 'Something is wrong.', { non_field_errors: ['It is a control already.'] })
    }),
  )
  const project = { ...curated, direction: 'images_of_query' as const }
  const { user } = renderPage(<QualityPage project={project} tab="controls" onTab={() => undefined} />, alice)
  await screen.findByText('A violin on ice.')
  await user.keyboard('a')
  const dialog = await screen.findByRole('dialog', { name: 'Add a test question' })
  expect(within(dialog).queryByRole('textbox', { name: 'Caption' })).not.toBeInTheDocument()
  await user.click(await within(dialog).findByRole('radio', { name: 'Image 7' }))
  await user.type(within(dialog).getByRole('textbox', { name: 'Search for a query' }), 'about')
  await waitFor(() => expect(asked).toContain('about'))
  expect(within(dialog).getByRole('button', { name: 'Add' })).toBeDisabled()
  await user.click(within(dialog).getByRole('button', { name: /Query/ }))
  await user.click(await screen.findByRole('option', { name: 'Something is about to happen' }))
  await user.click(within(dialog).getByRole('button', { name: 'Add' }))
  expect(await within(dialog).findByText('It is a control already.')).toBeVisible()
  expect(sent).toEqual({ image: 7, query: 4, accepted: ['bad'], explanation: '', is_quiz: false })
})

test('only a curator brings in what was judged elsewhere', async () => {
  open('agreement', 'head_annotator')
  expect(await screen.findByRole('heading', { name: 'Agreement by group' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Import answers' })).not.toBeInTheDocument()
})

test('the forecast says which HITs nobody here can go on with', async () => {
  server.use(http.get('*/forecast', () => HttpResponse.json({ ...forecast, hits_waiting: 2 })))
  open('forecast')
  expect(await screen.findByText(/^2 tasks need another annotator/)).toBeVisible()
})

test('the forecast has its intervals, and says why money is missing', async () => {
  open('forecast')
  const section = await screen.findByRole('region', { name: 'Forecast' })
  expect(within(section).getByText('1,250')).toBeVisible()
  expect(within(section).getByText('1,100 to 1,400')).toBeVisible()
  expect(within(section).getByText('Enter the pay per task.')).toBeVisible()
  expect(within(section).getByRole('link', { name: 'Set the pay' })).toHaveAttribute(
    'href',
    '/projects/harbour/settings',
  )
})

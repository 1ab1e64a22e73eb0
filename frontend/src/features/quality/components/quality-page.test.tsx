import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { alice, curated, images } from '@/testing/catalogue-data'
import { refusal } from '@/testing/handlers'
import {
  annotator,
  collectors,
  control,
  forecast,
  headline,
  policy,
  policyPreview,
  slice,
  supply,
} from '@/testing/quality-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { readList } from '../state/annotator-list'
import { QualityPage, type QualityTab } from './quality-page'

const page = (results: unknown[]) => ({ next: null, previous: null, results })

beforeEach(() => {
  server.use(
    http.get('*/projects/:slug/agreement', ({ request }) => {
      const scope = new URL(request.url).searchParams.get('scope') ?? 'overall'
      const slices = scope === 'overall' ? [slice('')] : [slice('human'), slice('cc3m')]
      return HttpResponse.json({ scope, as_of: '2026-03-01T10:00:00Z', is_stale: false, slices })
    }),
    http.get('*/agreement/annotators', () =>
      HttpResponse.json({ as_of: null, is_stale: false, annotators: [], pairs: [], order: [] }),
    ),
    http.get('*/agreement/headline', () => HttpResponse.json(headline)),
    http.get('*/agreement/confusions', () => HttpResponse.json({ as_of: null, is_stale: false, results: [] })),
    http.get('*/agreement/habits', () => HttpResponse.json({ as_of: null, is_stale: false, results: [] })),
    http.get('*/projects/:slug/annotators', () => HttpResponse.json(page([annotator]))),
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
  renderPage(
    <QualityPage
      project={{ ...curated, role }}
      tab={tab}
      onTab={() => undefined}
      list={readList({})}
      onList={() => undefined}
      controls={null}
      onControls={() => undefined}
    />,
    alice,
  )

test('a project without judgments is told what will be here', async () => {
  server.use(
    http.get('*/projects/:slug/agreement', () =>
      HttpResponse.json({ scope: 'overall', as_of: null, is_stale: false, slices: [] }),
    ),
  )
  open('agreement')
  expect(await screen.findByRole('heading', { name: 'No agreement yet' })).toBeVisible()
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
  await user.click(await screen.findByRole('option', { name: 'Skips many tasks' }))
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
  const { user } = renderPage(
    <QualityPage
      project={project}
      tab="controls"
      onTab={() => undefined}
      list={readList({})}
      onList={() => undefined}
      controls={null}
      onControls={() => undefined}
    />,
    alice,
  )
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
  expect(await screen.findByText('All measures and groups')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Import answers' })).not.toBeInTheDocument()
})

test('without quality rules a head annotator is led to the annotators', async () => {
  server.use(http.get('*/policies', () => HttpResponse.json({ next: null, previous: null, results: [] })))
  open('policy', 'head_annotator')
  const link = await screen.findByRole('link', { name: 'See the annotators' })
  expect(link).toHaveAttribute('href', '/projects/harbour/quality?tab=annotators')
})

test('the forecast says which HITs nobody here can go on with', async () => {
  server.use(http.get('*/forecast', () => HttpResponse.json({ ...forecast, hits_waiting: 2 })))
  open('forecast')
  expect(await screen.findByText(/^2 tasks need another annotator/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Invite a new annotator' })).toHaveAttribute(
    'href',
    '/projects/harbour/people',
  )
})

test('the forecast tells a head annotator to ask a curator for another person', async () => {
  server.use(http.get('*/forecast', () => HttpResponse.json({ ...forecast, hits_waiting: 2 })))
  open('forecast', 'head_annotator')
  expect(await screen.findByText(/Ask a curator to invite a new annotator/)).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Invite a new annotator' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Set the pay' })).toBeNull()
})

test('a forecast that is kept says when it was worked out', async () => {
  server.use(http.get('*/forecast', () => HttpResponse.json({ ...forecast, as_of: '2026-03-01T10:00:00Z' })))
  open('forecast')
  const section = await screen.findByRole('region', { name: 'Forecast' })
  expect(section).toHaveTextContent(/As of .+ ago/)
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

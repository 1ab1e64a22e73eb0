import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { CalibratedModel, Calibration, Calibrations } from '@/lib/api/served'
import { alice, curated } from '@/testing/catalogue-data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { ModelsPage } from './models-page'

const figures = {
  threshold: 0.2693,
  f1: 0.8123,
  precision: 0.8,
  recall: 0.825,
  batch_size: 256,
  n_pairs: 1024,
  prevalence: 1 / 256,
  kept_share: 0.41,
  pairs: '1,024 pairs of pairs.csv',
}

const version = {
  id: 7,
  version: 2,
  is_of_site: false,
  created_at: '2026-01-05T10:00:00Z',
  stale_reasons: [],
  threshold: figures.threshold,
  f1: figures.f1,
}

const model = (name: string, changes: Partial<CalibratedModel> = {}): CalibratedModel => ({
  key: name,
  model: name,
  name,
  is_in_panel: true,
  is_carried: false,
  digest: 'e'.repeat(64),
  licence: '',
  n_parameters: null,
  state: 'current',
  stale_reasons: [],
  used: 7,
  is_shipped_used: false,
  figures,
  versions: [version],
  ...changes,
})

const shipped = model('postcards-1-rn', {
  state: 'shipped',
  is_carried: true,
  licence: 'Apache-2.0',
  n_parameters: 842_448,
  used: null,
  is_shipped_used: true,
  versions: [],
})
const stale = model('RN50', { state: 'stale', stale_reasons: ['weights', 'pairs'], used: null, is_shipped_used: true })
const missing = model('RN101', { state: 'missing', figures: null, used: null, versions: [], is_in_panel: false })

const record: Calibration = {
  ...version,
  model: 'ViT-B-32',
  digest: 'd'.repeat(64),
  preprocessing: 'squash to 224',
  run: null,
  n_lost: 3,
  seed: 5,
  n_positives: 1024,
  n_negatives: 261_120,
  n_equal_texts: 0,
  figures,
  curve: [
    { threshold: 0.4, precision: 1, recall: 0.2, f1: 0.333 },
    { threshold: 0.2693, precision: 0.8, recall: 0.825, f1: 0.8123 },
    { threshold: 0.1, precision: 0.004, recall: 1, f1: 0.008 },
  ],
  files: { json: '/record.json', csv: '/curve.csv' },
}

const honesty = { is_trained_on_drawings: true, is_warning: true, n_images: 20, n_drawn: 2 }

function serve(changes: Partial<Calibrations> = {}) {
  const body: Calibrations = {
    models: [model('ViT-B-32'), stale, shipped, missing],
    helpers: [{ use: 'words', model: 'connote-en', licence: 'CC BY-SA 4.0', n_parameters: null }],
    n_own_pairs: 300,
    honesty,
    run: null,
    ...changes,
  }
  server.use(
    http.get('*/api/v1/projects/:slug/calibrations', () => HttpResponse.json(body)),
    http.get('*/api/v1/projects/:slug/calibrations/:id', () => HttpResponse.json(record)),
  )
}

test('each model has its figures and its status with the reasons', async () => {
  serve()
  renderPage(<ModelsPage project={curated} />, alice)
  const table = await screen.findByRole('grid', { name: 'Models' })
  const row = (name: RegExp) => within(table).getByRole('row', { name })
  expect(row(/ViT-B-32/)).toHaveTextContent('0.26930.812')
  expect(row(/ViT-B-32/)).toHaveTextContent('41%Current')
  expect(row(/RN50/)).toHaveTextContent('The weights of the model changed. The pairs changed. Rate difficulty uses')
  expect(row(/postcards-1-rn/)).toHaveTextContent('Trained on drawings')
  expect(row(/postcards-1-rn/)).toHaveTextContent('Came with the model')
  expect(row(/RN101/)).toHaveTextContent('Not calibrated')
  expect(screen.getByRole('alert')).toHaveTextContent('18 of 20 images here are not drawings')
})

test('the curve of a model has its points, its files, and how it was made', async () => {
  serve()
  const { user } = renderPage(<ModelsPage project={curated} />, alice)
  const chart = await screen.findByRole('figure', { name: 'Precision and recall of ViT-B-32' })
  expect(chart).toHaveTextContent('Batches of 256 pairs, seed 5.')
  expect(within(chart).getByRole('link', { name: 'CSV' })).toHaveAttribute('href', '/curve.csv')
  await user.click(within(chart).getByText('Show as a table'))
  expect(within(chart).getByRole('row', { name: /^0.2693/ })).toHaveTextContent('0.26930.8000.8250.812')
  await user.click(screen.getByText('How it was made'))
  expect(screen.getByText('squash to 224')).toBeVisible()
})

test('a row opens what is known of its model beside the table', async () => {
  serve()
  const { user } = renderPage(<ModelsPage project={curated} />, alice)
  const table = await screen.findByRole('grid', { name: 'Models' })
  await user.click(within(table).getByRole('row', { name: /postcards-1-rn/ }))
  const detail = screen.getByRole('region', { name: 'postcards-1-rn' })
  expect(detail).toHaveTextContent('Used forVotes on difficulty, and decides tiesParameters842,448LicenceApache-2.0')
  expect(detail).toHaveTextContent('has no curve')
  expect(
    within(screen.getByRole('region', { name: 'Other models of this site' })).getByText('CC BY-SA 4.0'),
  ).toBeVisible()
})

test('a curator starts Calibrate with a file, and what the server refuses stays in the dialog', async () => {
  serve()
  let sent: unknown
  server.use(
    http.post('*/api/v1/projects/:slug/runs', async ({ request }) => {
      sent = await request.json()
      return refusal(400, 'source_not_allowed', 'This site cannot import from there.')
    }),
  )
  const { user } = renderPage(<ModelsPage project={curated} />, alice)
  await user.click(await screen.findByRole('button', { name: 'Calibrate' }))
  const dialog = await screen.findByRole('dialog')
  await user.type(within(dialog).getByLabelText('Models'), 'RN50')
  await user.click(within(dialog).getByRole('button', { name: /Images with captions/ }))
  await user.click(await screen.findByRole('option', { name: 'A file or folder on the server' }))
  await user.type(within(dialog).getByLabelText('File or folder'), '/p.csv')
  await user.click(within(dialog).getByRole('button', { name: 'Calibrate' }))
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('cannot import from')
  expect(sent).toEqual({
    stage: 'calibrate',
    parameters: { models: 'RN50', pairs: '/p.csv', batch_size: 256, most: 0 },
    seed: 0,
  })
})

test('a project with fewer pairs than a batch is told before the start', async () => {
  serve({ n_own_pairs: 40 })
  const { user } = renderPage(<ModelsPage project={curated} />, alice)
  await user.click(await screen.findByRole('button', { name: 'Calibrate' }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog).toHaveTextContent('There are 40 pairs, but a batch needs 256.')
  expect(within(dialog).getByRole('button', { name: 'Calibrate' })).toBeDisabled()
})

test('while models are calibrated nobody starts it again', async () => {
  const run = { id: '33333333-3333-4333-8333-333333333333', done: 5, total: 20, error: null }
  serve({ run: { ...run, status: 'running' } })
  renderPage(<ModelsPage project={curated} />, alice)
  expect(await screen.findByRole('progressbar')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Calibrate' })).not.toBeInTheDocument()
})

test('a run that failed says why, and a head annotator starts none', async () => {
  const error = { code: 'constant_scores', message: 'All scores are the same.', params: {} }
  serve({ run: { id: '33333333-3333-4333-8333-333333333333', done: 5, total: 20, status: 'failed', error } })
  renderPage(<ModelsPage project={{ ...curated, role: 'head_annotator' }} />, alice)
  expect(await screen.findByText(/All scores are the same\./)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Calibrate' })).not.toBeInTheDocument()
})

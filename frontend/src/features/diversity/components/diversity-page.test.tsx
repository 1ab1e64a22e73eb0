import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { ComparedDataset, DiversityMeasure, DiversityReport, DiversityRun } from '@/lib/api/served'
import { alice, curated } from '@/testing/catalogue-data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { DiversityPage } from './diversity-page'
import { DiversityReportPage } from './report-page'

const dataset = (name: string, changes: Partial<ComparedDataset> = {}): ComparedDataset => ({
  kind: 'file',
  name,
  digest: 'd'.repeat(64),
  n_images: 500,
  n_measured: 500,
  n_captions: 2500,
  n_single: 0,
  n_refused: 0,
  ...changes,
})

const datasets = [dataset('harbour', { kind: 'selection' }), dataset('coco.json', { n_single: 3, n_images: 5000 })]

const measure = (name: DiversityMeasure['measure'], changes: Partial<DiversityMeasure> = {}): DiversityMeasure => ({
  measure: name,
  model: 'ViT-B-32',
  digest: 'e'.repeat(64),
  layer: null,
  is_trained_on_drawings: false,
  datasets: [
    { n: 500, n_missing: 0, mean: 0.31, low: 0.3, high: 0.32, deviation: 0.1 },
    { n: 497, n_missing: 3, mean: 0.62, low: 0.61, high: 0.63, deviation: 0.1 },
  ],
  difference: { value: -0.31, low: -0.33, high: -0.29, is_paired: false, n: null },
  density: {
    low: 0,
    high: 1,
    counts: [Array<number>(50).fill(10), Array<number>(50).fill(10)],
    x: [0, 0.5, 1],
    curves: [
      [0.1, 1, 0.1],
      [0.1, 0.5, 1],
    ],
  },
  ...changes,
})

const listed: DiversityRun = {
  id: '33333333-3333-4333-8333-333333333333',
  status: 'succeeded',
  started_by: 'Alice',
  created_at: '2026-01-05T10:00:00Z',
  done: 1000,
  total: 1000,
  error: null,
  asked: ['selection', 'file:coco.json'],
  compared: datasets,
}

const files = { json: '/r.json', csv: '/r.csv', images: '/i.csv', svg: '/r.svg' }

const finished = (measures: DiversityMeasure[], isPaired = false): DiversityReport => ({
  ...listed,
  report: { seed: 7, level: 0.95, replicates: 2000, is_paired: isPaired, datasets, measures },
  files,
})

const serve = (reports: readonly DiversityRun[]) =>
  server.use(http.get('*/api/v1/projects/:slug/diversity', () => HttpResponse.json(reports)))
const serveOne = (report: DiversityReport) =>
  server.use(http.get('*/api/v1/projects/:slug/diversity/:id', () => HttpResponse.json(report)))

beforeEach(() => {
  server.use(
    http.get('*/api/v1/projects/:slug/diversity/datasets', () =>
      HttpResponse.json([
        { name: 'selection', kind: 'selection', project: 'Harbour', version: null, n: 500 },
        { name: 'release:1', kind: 'release', project: 'Skies', version: 3, n: 40 },
      ]),
    ),
  )
  serve([listed])
})

test('the list names both datasets of each report and how far it is', async () => {
  const going: DiversityRun = { ...listed, id: '4', status: 'running', done: 128, compared: null }
  serve([going, listed])
  serveOne(finished([measure('sbert')]))
  renderPage(<DiversityPage project={curated} />, alice)
  const rows = within(await screen.findByRole('grid', { name: 'Reports' })).getAllByRole('row')
  expect(rows[1]).toHaveTextContent('selection and file:coco.json')
  expect(rows[1]).toHaveTextContent('Running, 128 of 1,000 images')
  expect(rows[2]).toHaveTextContent('Selection of harbour and coco.json')
  expect(rows[2]).toHaveTextContent('500 / 500')
  expect(screen.getByRole('link', { name: 'Newest report: Selection of harbour and coco.json' })).toBeVisible()
  expect(await screen.findByText('0.310 / 0.620')).toBeVisible()
})

test('a curator compares the selection with a file on the server', async () => {
  let sent: unknown
  server.use(
    http.post('*/api/v1/projects/:slug/runs', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({}, { status: 201 })
    }),
  )
  const { user } = renderPage(<DiversityPage project={curated} />, alice)
  await user.click(await screen.findByRole('button', { name: 'New report' }))
  await user.click(await screen.findByRole('button', { name: /Second dataset/ }))
  await user.click(await screen.findByRole('option', { name: 'A file on the server' }))
  const start = screen.getByRole('button', { name: 'Start the report' })
  expect(start).toBeDisabled()
  await user.type(screen.getByLabelText('File or folder of the second dataset'), '/data/coco.json')
  await user.click(start)
  await expect.poll(() => sent).toBeTruthy()
  expect(sent).toMatchObject({
    stage: 'diversity',
    parameters: { first: 'selection', second: 'file:/data/coco.json', images: 5000, bertscore: '' },
  })
})

test('files from this computer are uploaded and measured by the id of the upload', async () => {
  let sent: unknown
  server.use(
    http.post('*/api/v1/projects/:slug/uploads', () => HttpResponse.json({ id: 'u-1', files: [] }, { status: 201 })),
    http.post('*/api/v1/projects/:slug/runs', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({}, { status: 201 })
    }),
  )
  const { user } = renderPage(<DiversityPage project={curated} />, alice)
  await user.click(await screen.findByRole('button', { name: 'New report' }))
  await user.click(await screen.findByRole('button', { name: /Second dataset/ }))
  await user.click(await screen.findByRole('option', { name: 'Files from this computer' }))
  const start = screen.getByRole('button', { name: 'Upload and start' })
  expect(start).toBeDisabled()
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('No file can be chosen.')
  await user.upload(input, [new File(['one.jpg,A boat.'], 'captions.csv')])
  await user.click(start)
  await expect.poll(() => sent).toMatchObject({ parameters: { first: 'selection', second: 'upload:u-1' } })
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
})

test('what the server refuses is said in the dialog, which stays open', async () => {
  server.use(http.post('*/api/v1/projects/:slug/runs', () => refusal(400, 'same_datasets', 'Both are the same.')))
  const { user } = renderPage(<DiversityPage project={curated} />, alice)
  await user.click(await screen.findByRole('button', { name: 'New report' }))
  await user.click(await screen.findByRole('button', { name: 'Start the report' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Both are the same.')
})

test('a head annotator reads reports and starts none', async () => {
  renderPage(<DiversityPage project={{ ...curated, role: 'head_annotator' }} />, alice)
  await screen.findByRole('grid', { name: 'Reports' })
  expect(screen.queryByRole('button', { name: 'New report' })).not.toBeInTheDocument()
})

test('a report has a chart and a table of each measure, with what must be known', async () => {
  const drawings = measure('clip_image', { is_trained_on_drawings: true, model: 'postcards-7-tie' })
  serveOne(finished([measure('sbert'), measure('clip_text'), drawings, measure('bertscore', { layer: 17 })]))
  const { user } = renderPage(<DiversityReportPage project={curated} runId={listed.id} />, alice)
  const chart = await screen.findByRole('figure', { name: 'SBERT similarity' })
  expect(screen.getAllByRole('figure')).toHaveLength(4)
  expect(chart).toHaveTextContent('Difference of the means: -0.310 [-0.330, -0.290]')
  expect(chart).toHaveTextContent('n = 500 and 497 images')
  await user.click(within(chart).getByText('Show as a table'))
  const table = within(chart).getByRole('table')
  expect(within(table).getByRole('row', { name: /^coco\.json/ })).toHaveTextContent('0.6200.6100.6300.1004973')
  expect(screen.getByText(/postcards-7-tie was trained on drawings/)).toBeVisible()
  expect(screen.getByText(/coco\.json: 3 images have only one caption/)).toBeVisible()
  expect(screen.getByText(/500 of 5,000 images were measured/)).toBeVisible()
  expect(screen.getByText(/layer 17/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'SVG' })).toHaveAttribute('href', '/r.svg')
})

test('a measure without a value says so', async () => {
  const none = { n: 0, n_missing: 500, mean: null, low: null, high: null, deviation: null }
  serveOne(finished([measure('clip_image', { density: null, difference: null, datasets: [none, none] })]))
  renderPage(<DiversityReportPage project={curated} runId={listed.id} />, alice)
  expect(await screen.findByText('No image has a value for this measure.')).toBeVisible()
})

test('a report that failed says why and leads to its run', async () => {
  const error = { code: 'model_not_found', message: 'The model is not on this machine.', params: {} }
  serveOne({ ...listed, status: 'failed', compared: null, error, report: null, files: null })
  renderPage(<DiversityReportPage project={curated} runId={listed.id} />, alice)
  expect(await screen.findByRole('alert')).toHaveTextContent('The model is not on this machine.')
  expect(screen.getByRole('link', { name: 'Show the run' })).toBeVisible()
  expect(screen.queryByRole('link', { name: 'SVG' })).not.toBeInTheDocument()
})

test('a project without a report says what comes here', async () => {
  serve([])
  renderPage(<DiversityPage project={curated} />, alice)
  expect(await screen.findByText('No report yet')).toBeVisible()
})

test('without a report a head annotator is led to the selected captions', async () => {
  serve([])
  renderPage(<DiversityPage project={{ ...curated, role: 'head_annotator' }} />, alice)
  const link = await screen.findByRole('link', { name: 'See the selected captions' })
  expect(link).toHaveAttribute('href', `/projects/${curated.slug}/selection`)
})

import { fireEvent, screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import type { CorpusCurves, PolysemyPoint, PolysemyReport } from '@/lib/api/served'
import { alice, curated } from '@/testing/catalogue-data'
import { bob, harbour } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { PolysemyPage } from './polysemy-page'

const nothing: PolysemyPoint = {
  radius: 0,
  image_similarity: null,
  in_cluster_similarity: null,
  geodesic_distance: null,
  n_queries: 0,
  n_queries_with_captions: 0,
  n_captions: 0,
  n_short: 0,
}

const point = (radius: number, similarity: number, distance: number): PolysemyPoint => ({
  radius,
  image_similarity: similarity,
  in_cluster_similarity: similarity,
  geodesic_distance: distance,
  n_queries: 1000,
  n_queries_with_captions: 990,
  n_captions: 1000 * radius,
  n_short: 0,
})

const corpus = (name: string, points: PolysemyPoint[], changes: Partial<CorpusCurves> = {}): CorpusCurves => ({
  corpus: name,
  corpus_digest: 'c'.repeat(64),
  n_pictures: 5000,
  n_queries: 1000,
  n_unreadable: 0,
  index: 'exact',
  vectors_digest: 'd'.repeat(64),
  model: 'postcards-vision',
  model_digest: 'e'.repeat(64),
  clip: 'postcards-7-tie',
  clip_digest: 'f'.repeat(64),
  points,
  ...changes,
})

const coco = corpus('coco', [nothing, point(10, 0.7, 1.2), point(100, 0.6, 1.25)])
const cc12m = corpus('cc12m', [nothing, point(10, 0.9, 1.3), point(100, 0.75, 1.45)])

const report = (changes: Partial<PolysemyReport> = {}): PolysemyReport => ({
  id: '33333333-3333-4333-8333-333333333333',
  status: 'succeeded',
  seed: 7,
  queries: 1000,
  corpora: [cc12m, coco],
  json: '/api/v1/projects/harbour/polysemy/3/report.json',
  csv: '/api/v1/projects/harbour/polysemy/3/report.csv',
  created_at: '2026-01-05T10:00:00Z',
  ...changes,
})

const serve = (...reports: readonly PolysemyReport[]) =>
  server.use(http.get('*/api/v1/projects/:slug/polysemy', () => HttpResponse.json(reports)))

beforeEach(() => {
  // jsdom lays nothing out: each chart is 500 pixels wide, 352 of them between the axis and the names.
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 500, 260))
  serve(report())
})

const similarity = () => screen.findByRole('img', { name: /^Image similarity by radius/ })
const read = (name: RegExp) => within(screen.getByRole('list', { name })).getAllByRole('listitem')
const values = (name: RegExp) => read(name).map((row) => row.textContent)

test('each panel has a line for every corpus, and says in words where it begins and ends', async () => {
  renderPage(<PolysemyPage project={curated} />, alice)
  expect(await similarity()).toHaveAccessibleName(
    'Image similarity by radius, mean cosine: cc12m 0.900 at 10, 0.750 at 100; coco 0.700 at 10, 0.600 at 100',
  )
  const distance = screen.getByRole('img', { name: /^Geodesic distance by radius, mean angle in radians/ })
  expect(distance.querySelectorAll('path')).toHaveLength(2)
  expect(distance.querySelectorAll('circle')).toHaveLength(4)
})

test('the values at the largest radius stand beneath, with the queries behind them', async () => {
  renderPage(<PolysemyPage project={curated} />, alice)
  await similarity()
  expect(values(/Image similarity at radius 100/)).toEqual(['cc12m0.7500n 1,000', 'coco0.6000n 1,000'])
  expect(values(/Geodesic distance at radius 100/)).toEqual(['cc12m1.4500n 990', 'coco1.2500n 990'])
})

test('the pointer reads the nearest radius in both panels at once', async () => {
  renderPage(<PolysemyPage project={curated} />, alice)
  fireEvent(await similarity(), new MouseEvent('pointermove', { bubbles: true, clientX: 90 }))
  expect(values(/Image similarity at radius 10$/)).toEqual(['cc12m0.9000n 1,000', 'coco0.7000n 1,000'])
  expect(values(/Geodesic distance at radius 10$/)).toHaveLength(2)
})

test('the slider and N and P go from radius to radius; at 0 nothing is defined', async () => {
  const { user } = renderPage(<PolysemyPage project={curated} />, alice)
  await similarity()
  fireEvent.change(screen.getByRole('slider', { name: 'Radius' }), { target: { value: '1' } })
  expect(values(/Image similarity at radius 10$/)).toHaveLength(2)
  await user.keyboard('pp')
  expect(values(/Image similarity at radius 0$/)).toEqual([
    'cc12m–no value at this radiusn 0',
    'coco–no value at this radiusn 0',
  ])
  await user.keyboard('nnn')
  expect(values(/Image similarity at radius 100/)).toHaveLength(2)
})

test('the radius is drawn evenly or by its logarithm', async () => {
  const { user } = renderPage(<PolysemyPage project={curated} />, alice)
  const chart = await similarity()
  const firstDot = () => Number(chart.querySelector('circle')?.getAttribute('cx'))
  expect(firstDot()).toBeCloseTo(44 + 35.2)
  await user.click(screen.getByRole('button', { name: 'Logarithmic' }))
  expect(firstDot()).toBeCloseTo(44)
  expect(screen.getByRole('button', { name: 'Logarithmic' })).toHaveAttribute('aria-pressed', 'true')
  await user.keyboard('l')
  expect(firstDot()).toBeCloseTo(44 + 35.2)
})

test('the table holds every number, a dash where there is none', async () => {
  renderPage(<PolysemyPage project={curated} />, alice)
  const rows = within(await screen.findByRole('grid', { name: 'All values' })).getAllByRole('row')
  expect(rows).toHaveLength(7)
  expect(rows[1]).toHaveTextContent(/cc12m0(–no value at this radius){3}00/)
  expect(rows[3]).toHaveTextContent(/cc12m1000\.75000\.75001\.45001,000990100,0000/)
})

test('the report can be taken away as CSV and JSON', async () => {
  renderPage(<PolysemyPage project={curated} />, alice)
  expect(await screen.findByRole('link', { name: 'CSV' })).toHaveAttribute('href', report().csv)
  expect(screen.getByRole('link', { name: 'JSON' })).toHaveAttribute('href', report().json)
})

test('what a reader must know stands above the curves', async () => {
  serve(report({ status: 'running', corpora: [{ ...coco, n_unreadable: 2 }] }))
  renderPage(<PolysemyPage project={{ ...harbour, role: 'head_annotator' }} />, bob)
  expect(await screen.findByText('The run is not finished. 1 corpus is measured so far.')).toBeVisible()
  expect(screen.getByText('2 sampled images from coco could not be read any more.')).toBeVisible()
})

test('while the run measures, the page asks again, and shows what it measured meanwhile', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  try {
    serve(report({ status: 'running', corpora: [coco] }))
    renderPage(<PolysemyPage project={curated} />, alice)
    await similarity()
    serve(report())
    await vi.advanceTimersByTimeAsync(3500)
    expect(await screen.findByRole('img', { name: /^Image similarity.*cc12m/ })).toBeVisible()
    expect(screen.queryByText(/The run is not finished/)).not.toBeInTheDocument()
  } finally {
    vi.useRealTimers()
  }
})

test('a report that was read stays where it cannot be read again', async () => {
  const { queryClient } = renderPage(<PolysemyPage project={curated} />, alice)
  await similarity()
  server.use(http.get('*/api/v1/projects/:slug/polysemy', () => refusal(503, 'busy', 'The server is busy.')))
  const key = ['project', 'harbour', 'polysemy']
  await queryClient.refetchQueries({ queryKey: key })
  expect(queryClient.getQueryState(key)?.status).toBe('error')
  await new Promise((drawn) => setTimeout(drawn, 50))
  expect(screen.queryByText('The report could not be loaded')).not.toBeInTheDocument()
  expect(await similarity()).toBeVisible()
})

test('the values of an axis have equally many decimals', async () => {
  serve(report({ corpora: [corpus('coco', [nothing, point(10, 0.964, 1.2), point(100, 0.879, 1.3)])] }))
  renderPage(<PolysemyPage project={curated} />, alice)
  const chart = within(await similarity())
  for (const value of ['0.85', '0.90', '0.95', '1.00']) expect(chart.getByText(value)).toBeInTheDocument()
})

test('large radii are written as people write them', async () => {
  serve(report({ corpora: [corpus('cc12m', [nothing, point(10, 0.9, 1.3), point(3000, 0.7, 1.5)])] }))
  renderPage(<PolysemyPage project={curated} />, alice)
  expect(within(await similarity()).getByText('3,000')).toBeInTheDocument()
  expect(await similarity()).toHaveAccessibleName(/0\.700 at 3,000/)
})

test('an older report can be chosen', async () => {
  serve(report(), report({ id: '44444444-4444-4444-8444-444444444444', corpora: [coco] }))
  const { user } = renderPage(<PolysemyPage project={curated} />, alice)
  await similarity()
  await user.click(screen.getByRole('button', { name: /Report/ }))
  await user.click(await screen.findByRole('option', { name: /^coco/ }))
  expect(read(/Image similarity at radius 100/)).toHaveLength(1)
})

test('without a report the page says what will be here and where to begin', async () => {
  serve()
  renderPage(<PolysemyPage project={curated} />, alice)
  expect(await screen.findByText('No polysemy report yet')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go to the pipeline' })).toBeVisible()
})

test('a report that cannot be fetched can be asked for again', async () => {
  server.use(http.get('*/api/v1/projects/:slug/polysemy', () => refusal(503, 'busy', 'The server is busy.')))
  renderPage(<PolysemyPage project={curated} />, alice)
  expect(await screen.findByText('The report could not be loaded')).toBeVisible()
})

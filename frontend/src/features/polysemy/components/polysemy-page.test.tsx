import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import type { CorpusCurves, PolysemyPoint, PolysemyReport } from '@/lib/api/served'
import { alice, curated } from '@/testing/catalogue-data'
import { bob, harbour } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { spread } from '../state/curves'
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
  image_similarity_low: null,
  image_similarity_high: null,
  in_cluster_similarity_low: null,
  in_cluster_similarity_high: null,
  geodesic_distance_low: null,
  geodesic_distance_high: null,
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
  image_similarity_low: similarity - 0.02,
  image_similarity_high: similarity + 0.02,
  in_cluster_similarity_low: similarity - 0.02,
  in_cluster_similarity_high: similarity + 0.02,
  geodesic_distance_low: distance - 0.03,
  geodesic_distance_high: distance + 0.03,
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
  serve(report())
})

// The drawing comes with a library that is loaded for the first chart.
const drawing = (name: string) => screen.findByRole('img', { name }, { timeout: 15_000 })
const similarity = () => drawing('Image similarity')

test('each panel has a line in its band for every corpus, with its name at its end', async () => {
  renderPage(<PolysemyPage project={curated} />, alice)
  const chart = await drawing('Geodesic distance')
  for (const name of ['cc12m', 'coco']) expect(within(chart).getByText(name)).toBeInTheDocument()
  expect(chart.querySelectorAll('circle')).toHaveLength(4)
  expect(chart.querySelectorAll('[fill-opacity="0.16"]')).toHaveLength(2)
  expect(screen.getAllByText(/95% intervals: a bootstrap/)).toHaveLength(2)
})

test('a sentence says what the curves come to at the largest radius, the highest first', async () => {
  renderPage(<PolysemyPage project={curated} />, alice)
  expect(
    await screen.findByText('Captions of the 100 nearest images are 1.45 rad away in cc12m; coco: 1.25.'),
  ).toBeVisible()
  expect(
    screen.getByText('The 100 nearest images have a mean cosine of 0.75 in cc12m; coco: 0.60.'),
  ).toBeVisible()
})

test('the radius is drawn evenly or by its logarithm', async () => {
  const { user } = renderPage(<PolysemyPage project={curated} />, alice)
  const firstDot = async () => Number((await similarity()).querySelector('circle')?.getAttribute('cx'))
  const even = await firstDot()
  await user.click(screen.getByRole('button', { name: 'Logarithmic' }))
  expect(screen.getByRole('button', { name: 'Logarithmic' })).toHaveAttribute('aria-pressed', 'true')
  expect(await firstDot()).toBe(even)
  expect(within(await similarity()).getByText(/logarithmic/)).toBeInTheDocument()
  await user.keyboard('l')
  expect(within(await similarity()).queryByText(/logarithmic/)).not.toBeInTheDocument()
})

test('the table of a chart holds its intervals, and a dash where there is none', async () => {
  const { user } = renderPage(<PolysemyPage project={curated} />, alice)
  await user.click((await screen.findAllByText('Show as a table'))[0] ?? document.body)
  const rows = within(screen.getByRole('table', { name: 'Geodesic distance' })).getAllByRole('row')
  expect(rows).toHaveLength(7)
  expect(rows[1]).toHaveTextContent('cc12m0———0')
  expect(rows[3]).toHaveTextContent('cc12m1001.45001.42001.4800990')
})

test('all values of the report are one click away', async () => {
  const { user } = renderPage(<PolysemyPage project={curated} />, alice)
  await user.click(await screen.findByText('All values'))
  const rows = within(await screen.findByRole('grid', { name: 'All values' })).getAllByRole('row')
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
    expect(await screen.findByText(/in cc12m; coco: 1\.25/)).toBeVisible()
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

test('a report of an earlier version has lines without bands, and says so', async () => {
  const older = { geodesic_distance_low: null, geodesic_distance_high: null }
  serve(report({ corpora: [corpus('coco', [{ ...point(10, 0.9, 1.2), ...older }])] }))
  renderPage(<PolysemyPage project={curated} />, alice)
  expect(await screen.findByText(/This report has no intervals/)).toBeVisible()
})

test('two ends that would cover each other are moved apart and stay inside', () => {
  expect(spread([10, 50], 16, 100)).toEqual([10, 50])
  expect(spread([50, 48], 16, 100)).toEqual([64, 48])
  expect(spread([99, 98], 16, 100)).toEqual([100, 84])
})

test('an older report can be chosen', async () => {
  serve(report(), report({ id: '44444444-4444-4444-8444-444444444444', corpora: [coco] }))
  const { user } = renderPage(<PolysemyPage project={curated} />, alice)
  await similarity()
  await user.click(screen.getByRole('button', { name: /Report/ }))
  await user.click(await screen.findByRole('option', { name: /^coco/ }))
  expect(screen.getByText('Captions of the 100 nearest images are 1.25 rad away in coco.')).toBeVisible()
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

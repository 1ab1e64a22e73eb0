import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { alice, curated, stage } from '@/testing/catalogue-data'
import { fileField } from '@/testing/file-field'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import type { Cell, Comparison, Evaluation, Item, Leaderboard, MeasuredRow, Metric, QueryRow } from '../api/shapes'
import type { BenchmarkAsked } from '../state/asked'
import { categoryName, inOrder } from '../state/metrics'
import { medianRank } from '../state/specs'
import { BenchmarksPage } from './benchmarks-page'
import { ComparisonPage } from './comparison-page'
import { EvaluationPage } from './evaluation-page'

const hit = 'image_to_text.hit@1'
const rank = 'image_to_text.rank_all_median'

const metric = (direction: Metric['direction'], measure: string, changes: Partial<Metric> = {}): Metric => ({
  name: `${direction}.${measure}`,
  direction,
  measure,
  is_percent: true,
  is_headline: true,
  label_code: measure,
  k: null,
  is_low_better: false,
  ...changes,
})

const cell = (value: number | null, changes: Partial<Cell> = {}): Cell => ({
  value,
  low: value === null ? null : value - 0.02,
  high: value === null ? null : value + 0.02,
  n: 40,
  reason: null,
  contribution: null,
  difference: null,
  ...changes,
})

const row = (id: string, cells: Record<string, Cell>, changes: Partial<MeasuredRow> = {}): MeasuredRow => ({
  id,
  task: 'retrieval',
  model: `postcards-${id}`,
  kind: 'model',
  digest: 'd'.repeat(64),
  source: 'run',
  created_at: '2026-01-05T10:00:00Z',
  created_by: 'Alice',
  note: '',
  is_published: false,
  is_of_release: true,
  n_images: 40,
  n_texts: 200,
  has_queries: true,
  run: null,
  not_run: null,
  cells,
  ...changes,
})

const real = { value: 0.1234, low: 0.05, high: 0.2, p: 0.001, detectable: 0.08, n: 40, is_real: true }
const board: Leaderboard = {
  release: { id: 'r1', label: '1.2.0' },
  task: 'retrieval',
  tasks: [
    { name: 'retrieval', n: 4 },
    { name: 'auprc', n: 0 },
  ],
  category: '',
  categories: [
    { name: 'difficulty=hard', field: 'difficulty', value: 'hard' },
    { name: 'difficulty=easy', field: 'difficulty', value: 'easy' },
  ],
  metrics: [
    metric('image_to_text', 'hit@1'),
    metric('image_to_text', 'rank_all_median', { is_percent: false, is_low_better: true }),
    metric('text_to_image', 'hit@1'),
  ],
  reference: '1',
  is_complete: true,
  rows: [
    row('1', { [hit]: cell(0.5), [rank]: cell(9, { low: null, high: null }) }),
    row('5', {
      [hit]: cell(0.6234, { difference: real }),
      [rank]: cell(3, { low: 2, high: 4, difference: { ...real, value: -6 } }),
    }),
    row('3', { [hit]: cell(0.51, { difference: { ...real, value: 0.01, is_real: false } }) }, { source: 'import', is_of_release: false }),
    row('9', {}, { not_run: 'The vector of 2 items is zero.' }),
  ],
}

const item = (id: string, changes: Partial<Item> = {}): Item => ({
  kind: 'text',
  id,
  digest: null,
  image_url: null,
  text: `Caption ${id}`,
  is_withdrawn: false,
  ...changes,
})
const photo = item('p1', { kind: 'image', text: null, image_url: '/media/p1.webp' })

const place = '*/api/v1/projects/:slug/releases/:release/benchmarks'
const list = (results: unknown[]) => HttpResponse.json({ next: null, previous: null, results })

function Shown({ start = {} }: { start?: BenchmarkAsked }) {
  const [asked, setAsked] = useState(start)
  return <BenchmarksPage project={curated} asked={asked} onAsk={setAsked} />
}

beforeEach(() => {
  server.use(
    http.get('*/api/v1/projects/:slug/releases', () => list([{ id: 'r1', label: '1.2.0' }])),
    http.get('*/api/v1/projects/:slug/walk', () => HttpResponse.json({ stages: [stage('evaluate')] })),
    http.get(`${place}/published`, ({ request }) => {
      const isAsked = new URL(request.url).searchParams.has('dataset')
      const rows = [{ table: 't1', model: 'ViT-L', dataset: 'coco', cells: { [hit]: 0.7 } }]
      const tables = [{ id: 't1', name: 'Paper', published_in: 'doi', created_at: '2026-01-05T10:00:00Z', n_rows: 1 }]
      return HttpResponse.json({ datasets: ['coco'], tables, rows: isAsked ? rows : [] })
    }),
    http.get(place, () => HttpResponse.json(board)),
  )
})

const rowsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .slice(1)
    .map(({ textContent }) => textContent)

test('the leaderboard has intervals, marks real differences, and sorts the way each figure is better', async () => {
  const { user } = renderPage(<Shown />, alice)
  const table = await screen.findByRole('grid', { name: 'Benchmarks' })
  expect(rowsOf(table)).toEqual([
    'postcards-562.360.3–64.3+12.3 ▲better3.0−6.0 ▲better'.replace('3.0−6.0', '3.02.0–4.0−6.0'),
    'postcards-3ImportedOther data51.049.0–53.0+1.0–',
    'postcards-150.048.0–52.09.0',
    'postcards-9Not run––',
  ])
  expect(screen.getByText('postcards-9 was not run. The vector of 2 items is zero.')).toBeVisible()
  await user.click(within(table).getByRole('columnheader', { name: 'Median rank' }))
  expect(rowsOf(table).map((text) => text.slice(0, 11))).toEqual([
    'postcards-5',
    'postcards-1',
    'postcards-3',
    'postcards-9',
  ])
  expect(screen.getByRole('figure', { name: 'Median rank, Image to text' })).toBeVisible()
})

test('a category is asked of the server and of the files, and published figures come with their table', async () => {
  const asked: string[] = []
  server.use(
    http.get(place, ({ request }) => {
      const category = new URL(request.url).searchParams.get('category') ?? ''
      asked.push(category)
      return HttpResponse.json({ ...board, category })
    }),
  )
  const { user } = renderPage(<Shown start={{ category: 'difficulty=hard' }} />, alice)
  expect(await screen.findByRole('link', { name: 'LaTeX' })).toHaveAttribute(
    'href',
    '/api/v1/projects/harbour/releases/r1/benchmarks/export?format=latex&category=difficulty%3Dhard',
  )
  expect(asked).toEqual(['difficulty=hard'])
  expect(inOrder(board.categories).map(categoryName)).toEqual(['Difficulty: easy', 'Difficulty: hard'])
  await user.click(await screen.findByRole('button', { name: /Published figures/ }))
  await user.click(screen.getByRole('option', { name: 'coco' }))
  const table = await screen.findByRole('grid', { name: 'Benchmarks' })
  await waitFor(() => expect(rowsOf(table)[0]).toBe('ViT-L PublishedPaper70.0–'))
})

test('a curator measures models, and what the server refuses stays in the dialog', async () => {
  let sent: unknown
  server.use(
    http.post('*/api/v1/projects/:slug/runs', async ({ request }) => {
      sent = await request.json()
      return refusal(400, 'model_not_found', 'The model is not on this machine.')
    }),
  )
  const { user } = renderPage(<Shown />, alice)
  await user.click(await screen.findByRole('button', { name: 'Measure models' }))
  const dialog = await screen.findByRole('dialog')
  await user.type(within(dialog).getByLabelText('Models'), ' RN50 ')
  await user.click(within(dialog).getByRole('button', { name: 'Measure models' }))
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('The model is not on this machine.')
  expect(sent).toEqual({
    stage: 'evaluate',
    parameters: { release: 'r1', task: 'retrieval', rule: 'unanimous', models: 'RN50', limit: 0 },
    seed: 0,
  })
})

test('a result is imported with its ranks', async () => {
  let sent: FormData | null = null
  server.use(
    http.post(place, async ({ request }) => {
      sent = await request.formData()
      return HttpResponse.json({}, { status: 201 })
    }),
  )
  const { user } = renderPage(<Shown />, alice)
  await user.click(await screen.findByRole('button', { name: 'Import results' }))
  const dialog = await screen.findByRole('dialog')
  const send = within(dialog).getByRole('button', { name: 'Import' })
  await user.upload(fileField(dialog), new File(['PAR1'], 'per_query.parquet'))
  expect(dialog).toHaveTextContent('Choose a file that ends in .json.')
  expect(send).toBeDisabled()
  await user.upload(fileField(dialog), new File(['{}'], 'result.json'))
  await user.click(send)
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  // jsdom drops the names of files, so their contents say which is which.
  const fields = [...(sent as unknown as FormData)]
  const contents = fields.map(async ([name, value]) => [name, typeof value === 'string' ? value : await value.text()])
  expect(await Promise.all(contents)).toEqual([
    ['result', '{}'],
    ['per_query', 'PAR1'],
    ['note', ''],
  ])
})

const answered: QueryRow = {
  query: photo,
  score: 0.3,
  expected: null,
  right: [item('a', { image_url: '/media/a.webp' }), item('b')],
  ranks: [2, 7],
  ties: true,
  best_wrong: item('c'),
}

const evaluation: Evaluation = {
  ...row('5', { [hit]: cell(0.62) }),
  axes: ['k', 'hit@k'],
  release: { id: 'r1', label: '1.2.0', project: 'harbour' },
  metrics: board.metrics,
  result: {
    metrics: { image_to_text: { 'hit@1': { value: 0.62, low: 0.6, high: 0.64, n: 40 } } },
    ties: { policy: 'expected', image_to_text: { share: 0.1, tied_queries: 4 } },
    dropped: {},
    data: { digest: 'e'.repeat(64), images: 40, texts: 200, pairs: 200 },
    model: { name: 'postcards-5', pooling: 'eos' },
    settings: { seed: 0 },
    versions: {},
  },
  curves: { image_to_text: [[1, 0.62], [10, 0.9]] },
  categories: [
    { name: 'difficulty=hard', field: 'difficulty', value: 'hard', cells: { [hit]: cell(0.4) } },
    { name: 'difficulty=easy', field: 'difficulty', value: 'easy', cells: { [hit]: cell(0.8) } },
  ],
  ranks: {
    image_to_text: [
      { category: '', from: 1, to: 1, n: 100 },
      { category: '', from: 2, to: 9, n: 60 },
      { category: '', from: 10, to: 40, n: 40 },
      { category: 'difficulty=easy', from: 1, to: 1, n: 70 },
      { category: 'difficulty=hard', from: 2, to: 9, n: 60 },
    ],
  },
  files: [{ name: 'result.json', url: '/result.json' }],
}

test('a model has its curves, its figures by difficulty, its ranks, and the images it was wrong on', async () => {
  const orders: string[] = []
  server.use(
    http.get('*/api/v1/benchmarks/:id', () => HttpResponse.json(evaluation)),
    http.get('*/api/v1/benchmarks/:id/queries', ({ request }) => {
      orders.push(new URL(request.url).searchParams.get('order') ?? '')
      return list([answered])
    }),
  )
  const { user } = renderPage(<EvaluationPage project={curated} evaluationId="5" />, alice)
  const byDifficulty = await screen.findByRole('figure', { name: 'Figures by category: Difficulty, Image to text' })
  await user.click(within(byDifficulty).getByText('Show as a table'))
  expect(rowsOf(within(byDifficulty).getByRole('table'))).toEqual(['easyhit@180.078.082.040', 'hardhit@140.038.042.040'])
  const strip = screen.getByRole('figure', { name: 'The rank of every right item, Image to text' })
  await user.click(within(strip).getByText('Show as a table'))
  expect(rowsOf(within(strip).getByRole('table'))[1]).toBe('All2–96030%')
  expect(rowsOf(within(strip).getByRole('table')).slice(3)).toEqual(['easy170100%', 'hard2–960100%'])
  const queries = await screen.findByRole('list', { name: 'What the model found' })
  expect(within(queries).getByRole('img', { name: 'Image p1' })).toHaveAttribute('src', '/media/p1.webp')
  expect(queries).toHaveTextContent('RightCaption aRank 2Caption bRank 7')
  expect(queries).toHaveTextContent('The model put firstCaption c')
  await user.click(screen.getByRole('button', { name: /Show Worst|Worst/ }))
  await user.click(await screen.findByRole('option', { name: 'Most surprising' }))
  await waitFor(() => expect(orders).toEqual(['worst', 'surprising']))
})

test('two models answer the same query next to each other', async () => {
  const comparison: Comparison = {
    next: null,
    previous: null,
    total: 1,
    direction: 'image_to_text',
    directions: ['image_to_text'],
    a: { id: '1', model: 'postcards-1' },
    b: { id: '5', model: 'postcards-5' },
    n_a_better: 3,
    n_b_better: 20,
    n_equal: 17,
    order: 'different',
    differences: {
      'image_to_text.hit@5': { ...real, is_real: false },
      [hit]: real,
      [rank]: { ...real, value: 6 },
      'text_to_image.hit@1': { ...real, is_real: false },
    },
    results: [
      {
        query: photo,
        right: [item('a'), item('b')],
        a: { score: 0.1, ranks: [30, 12], ties: false, best_wrong: item('c') },
        b: { score: 0.9, ranks: [1, 2], ties: false, best_wrong: item('d') },
      },
    ],
  }
  server.use(http.get('*/api/v1/benchmarks/compare', () => HttpResponse.json(comparison)))
  renderPage(<ComparisonPage project={curated} asked={{ a: '1', b: '5' }} onAsk={() => undefined} />, alice)
  expect(await screen.findByRole('group', { name: 'postcards-1' })).toHaveTextContent(
    'Caption bRank 12Caption aRank 30The model put firstCaption c',
  )
  expect(screen.getByRole('group', { name: 'postcards-5' })).toHaveTextContent('The model put firstIt is right.')
  expect(screen.getByText(/postcards-1 is better on 3 queries, postcards-5 on 20/)).toBeVisible()
  expect(screen.getByText(/2 of 4 differences are real/)).toBeVisible()
  const realRows = within(screen.getByRole('grid', { name: 'Image to text' })).getAllByRole('row')
  expect(realRows.slice(1).map(({ textContent }) => textContent)).toEqual([
    'hit@1+12.3+5.0 to +20.0postcards-5',
    'Median rank+6.0+0.1 to +0.2postcards-1',
  ])
  expect(screen.getByRole('heading', { name: 'Text to image' })).toBeVisible()
  expect(screen.getAllByText('1 difference may be chance')).toHaveLength(2)
})

test('the median rank is the lower one of an even number', () => {
  const counts = [
    { from: 5, to: 5, n: 1 },
    { from: 1, to: 1, n: 2 },
    { from: 3, to: 3, n: 1 },
  ]
  expect(medianRank(counts)?.from).toBe(1)
  expect(medianRank(counts.slice(0, 1).concat({ from: 2, to: 2, n: 2 }))?.from).toBe(2)
  expect(medianRank([])).toBeNull()
})

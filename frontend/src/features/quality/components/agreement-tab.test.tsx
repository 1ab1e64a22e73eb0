import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { alice, curated } from '@/testing/catalogue-data'
import { confusion, headline, interval, slice } from '@/testing/quality-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { AgreementTab } from './agreement-tab'

const person = (id: number, name: string, mean: number | null) => ({
  id,
  username: name,
  display_name: '',
  mean,
  n_others: 2,
  n_items: 20,
  reason_code: mean === null ? 'no_two' : null,
  prevalence: {},
  interval: mean === null ? null : { ...interval, low: 0.15, high: 0.55 },
})
const pair = { prevalence: {}, reason_code: null, interval: { ...interval, low: 0.12, high: 0.66 } }
const pairs = [
  { first: 1, second: 2, value: 0.4, n_items: 20, ...pair },
  { first: 1, second: 3, value: null, n_items: 0, ...pair, reason_code: 'nothing_shared', interval: null },
  { first: 2, second: 3, value: 0.2, n_items: 4, ...pair },
]
const people = [person(1, 'bob', 0.4), person(2, 'eve', 0.3), person(3, 'ida', null)]

beforeEach(() => {
  const overall = { scope: 'overall', as_of: null, is_stale: false, slices: [slice('')] }
  server.use(
    http.get('*/projects/:slug/agreement', () => HttpResponse.json(overall)),
    http.get('*/agreement/headline', () => HttpResponse.json(headline)),
    http.get('*/agreement/confusions', () => HttpResponse.json({ as_of: null, is_stale: false, results: [confusion] })),
    http.get('*/agreement/annotators', () =>
      HttpResponse.json({ as_of: null, is_stale: false, annotators: people, pairs, order: [3, 1, 2] }),
    ),
  )
})

const open = () => renderPage(<AgreementTab project={curated} />, alice)

test('one figure leads, in a word on its scale, and the days say whether it rises', async () => {
  open()
  const figure = await screen.findByRole('figure', { name: 'Agreement of all annotators' })
  expect(figure).toHaveTextContent('0.46 moderate 95% interval 0.41 to 0.51')
  expect(figure).toHaveTextContent('n = 10 pairs, 30 answers. Krippendorff’s alpha')
  expect(screen.getByText('Agreement rises: 0.30 on the first day, 0.50 on the last day.')).toBeVisible()
})

test('each cell of the heat map opens what two people share; nothing shared is no figure', async () => {
  open()
  const map = await screen.findByRole('group', { name: 'Agreement between annotators' }, { timeout: 15_000 })
  const cell = (name: RegExp) => within(map).getByLabelText(name)
  expect(cell(/^bob and eve: 0\.40, 95% interval 0\.12 to 0\.66, of 20 pairs$/).closest('a')).toHaveAttribute(
    'href',
    '/projects/harbour/quality/pairs/1/2',
  )
  expect(cell(/^ida and bob: they have no common pairs/)).toBeInTheDocument()
  expect(within(map).queryByText('1.00')).not.toBeInTheDocument()
  // Those who agree are neighbours: the server's order leads.
  const rows = within(map).getAllByText(/^(ida|bob|eve)$/)
  expect(rows.slice(0, 3).map(({ textContent }) => textContent)).toEqual(['ida', 'bob', 'eve'])
})

test('the most frequent disagreement leads to its own pairs', async () => {
  open()
  const table = await screen.findByRole('grid', { name: 'Most frequent disagreements' })
  expect(within(table).getByRole('row', { name: /Bob and eve/ })).toHaveTextContent(/Good.*Bad.*7.*35%/)
  expect(within(table).getByRole('link', { name: 'Bob and eve' })).toHaveAttribute(
    'href',
    '/projects/harbour/quality/pairs/2/3?a=good&b=bad',
  )
})

test('every measure under every reading of unsure is behind a fold; what is undefined says why', async () => {
  const { user } = open()
  await user.click(await screen.findByText('All measures and groups'))
  const table = await screen.findByRole('grid', { name: 'Agreement' })
  expect(within(table).getByText('0.41 to 0.51')).toBeVisible()
  expect(within(table).getByText('All judgments that count here are the same.')).toBeVisible()
  expect(within(table).getByText('Not for “unsure” as halfway.')).toBeVisible()
})

test('where nothing can be compared yet no shares of labels are told', async () => {
  const whole = slice('')
  const figures = whole.figures.map((figure) => ({ ...figure, value: null, interval: null, prevalence: {} }))
  server.use(
    http.get('*/projects/:slug/agreement', () =>
      HttpResponse.json({ scope: 'overall', as_of: null, is_stale: false, slices: [{ ...whole, figures }] }),
    ),
    http.get('*/agreement/headline', () =>
      HttpResponse.json({ ...headline, value: null, low: null, high: null, reason_code: 'one_label', trend: [] }),
    ),
  )
  open()
  expect(await screen.findByText('30 answers on 10 pairs.')).toBeVisible()
  expect(await screen.findByText('The trend needs two days with an interval.')).toBeVisible()
})

test.each([
  { direction: 'captions_of_image' as const, drawn: /bootstrap over images/ },
  { direction: 'images_of_query' as const, drawn: /bootstrap over queries/ },
])('the note says what the intervals of $direction are drawn over', async ({ direction, drawn }) => {
  renderPage(<AgreementTab project={{ ...curated, direction }} />, alice)
  expect((await screen.findAllByText(drawn))[0]).toBeVisible()
})

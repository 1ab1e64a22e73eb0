import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import type { AnnotatorRow, Flag } from '@/lib/api/figures'
import { alice, curated } from '@/testing/catalogue-data'
import { annotator, annotatorDetail, personFigures, sharedPairs } from '@/testing/quality-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { arrange, listSearch, readList } from '../state/annotator-list'
import { AnnotatorsTab } from './annotators-tab'
import { PairPage } from './pair-page'
import { PersonPage } from './person-page'

const flag: Flag = { code: 'controls_below_others', params: { share: 0.25, n: 8, others: 0.93 } }
const bob: AnnotatorRow = { ...annotator, flags: [flag] }
const named = (id: number, username: string): AnnotatorRow => ({
  ...annotator,
  user: { id, username, display_name: '' },
  flags: [],
})
const eve: AnnotatorRow = {
  ...named(3, 'eve'),
  hits: 40,
  passed: { k: 8, n: 8, share: 1, low: 0.68, high: 1 },
  state: 'paused',
}
const ida: AnnotatorRow = { ...named(4, 'ida'), hits: 2, passed: null }

beforeEach(() => {
  server.use(
    http.get('*/harbour/annotators', ({ request }) => {
      const isSecond = new URL(request.url).searchParams.get('cursor') === '2'
      const next = 'http://localhost/api/v1/projects/harbour/annotators?cursor=2'
      return HttpResponse.json({ next: isSecond ? null : next, previous: null, results: isSecond ? [ida] : [bob, eve] })
    }),
    http.get('*/harbour/annotators/:id', () => HttpResponse.json({ ...annotatorDetail, annotator: bob })),
    http.get('*/agreement/annotators/:id', () => HttpResponse.json(personFigures)),
    http.get('*/review/pages/summary', () => HttpResponse.json([])),
    http.get('*/feedback/effect', () => HttpResponse.json({ next: null, previous: null, results: [] })),
    http.get('*/agreement/habits', () => HttpResponse.json({ as_of: null, is_stale: false, results: [] })),
  )
})

function List() {
  const [list, setList] = useState(() => readList({}))
  return <AnnotatorsTab slug="harbour" list={list} onList={setList} />
}

const namesIn = (table: HTMLElement) =>
  within(table)
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent)

test('a person with bad figures leads the table, with a sign and words, though no rule has acted', async () => {
  renderPage(<List />, alice)
  const table = await screen.findByRole('grid', { name: 'Annotators' })
  expect(namesIn(table)).toEqual(['Bob', 'eve', 'ida'])
  const row = within(table).getByRole('row', { name: /Bob/ })
  expect(row).toHaveTextContent(/Active.*Test questions.*warning 25%/)
  expect(within(row).getByTitle('25% of 8 test questions passed. The others pass 93%.')).toBeVisible()
})

test('a press on a column sorts by it, a chip filters, and who has no figure comes last either way', async () => {
  const { user } = renderPage(<List />, alice)
  const table = await screen.findByRole('grid', { name: 'Annotators' })
  await user.click(within(table).getByRole('columnheader', { name: /Tasks/ }))
  expect(namesIn(table)).toEqual(['eve', 'Bob', 'ida'])
  await user.click(within(table).getByRole('columnheader', { name: /Test questions passed/ }))
  expect(namesIn(table)).toEqual(['Bob', 'eve', 'ida'])
  await user.click(within(table).getByRole('columnheader', { name: /Test questions passed/ }))
  expect(namesIn(table)).toEqual(['eve', 'Bob', 'ida'])
  await user.click(screen.getByRole('button', { name: /Paused 1/ }))
  expect(namesIn(table)).toEqual(['eve'])
})

test('the list is in the address, and anything else there is as good as nothing', () => {
  const list = readList({ state: 'paused', flagged: 1, sort: '-hits' })
  expect(readList(listSearch(list))).toEqual(list)
  expect(listSearch(readList({ state: 'sleepy', sort: 'constructor', flagged: 'x' }))).toEqual({})
  expect(arrange([bob, eve, ida], readList({ flagged: '1' })).map(({ user }) => user.username)).toEqual(['bob'])
})

test('a person’s page has the figures with n, the tests of habits in words, and the way to the answers', async () => {
  renderPage(<PersonPage project={curated} id={2} />, alice)
  expect(await screen.findByText('25% of 8 test questions passed. The others pass 93%.')).toBeVisible()
  expect(await screen.findByRole('figure', { name: 'Test questions and agreement by day' })).toHaveTextContent(
    'n = 60 answers on 1 day. Shares of each day with 95% intervals (Wilson). Dashed lines: feedback was sent.',
  )
  const table = screen.getByRole('grid', { name: 'Answers against the majority of others' })
  for (const head of within(table).getAllByRole('columnheader')) expect(head).not.toHaveAttribute('aria-sort')
  expect(within(table).getAllByRole('row').at(-1)).toHaveTextContent(/3.*2.*0/)
  expect(screen.getByText(/9 of 16 tasks\. Expected from the answers of others: 2\.1\. p < 0\.001/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Read their answers' })).toHaveAttribute(
    'href',
    '/projects/harbour/quality/annotators/2/answers',
  )
})

test('a person is paused by hand, with a sentence that they read', async () => {
  let sent: unknown
  server.use(
    http.post('*/harbour/annotators/:id/state', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ ...annotatorDetail, annotator: { ...bob, state: 'paused', is_by_hand: true } })
    }),
  )
  const { user } = renderPage(<PersonPage project={curated} id={2} />, alice)
  expect(await screen.findByText(/Fails hidden test questions, 6 of 8 \(75%\)/)).toBeVisible()
  await user.click(screen.getByRole('radio', { name: 'Pause' }))
  await user.type(screen.getByRole('textbox', { name: 'Why' }), 'Let us talk first.')
  await user.click(screen.getByRole('button', { name: 'Pause' }))
  await waitFor(() => expect(sent).toEqual({ state: 'paused', reason: 'Let us talk first.' }))
})

test('a cell of the table of two people filters the pairs that they share', async () => {
  const asked: string[] = []
  server.use(
    http.get('*/agreement/pairs/2/3', ({ request }) => {
      asked.push(new URL(request.url).searchParams.toString())
      return HttpResponse.json(sharedPairs)
    }),
  )
  function Shared() {
    const [cell, setCell] = useState({})
    return <PairPage project={curated} first={2} second={3} cell={cell} onCell={setCell} />
  }
  const { user } = renderPage(<Shared />, alice)
  expect(
    await screen.findByText(/kappa 0\.08, close to chance\. 95% interval 0\.00 to 0\.16, 20 shared pairs/),
  ).toBeVisible()
  expect(screen.getByRole('listitem')).toHaveTextContent(/A violin on ice\.BobGoodeveBadDecisionNone/)
  await user.click(screen.getByRole('button', { name: /^Bob Good, eve Bad: 7/ }))
  expect(await screen.findByRole('heading', { name: 'Bob answered good, eve answered bad: 7 pairs' })).toBeVisible()
  await waitFor(() => expect(asked.at(-1)).toBe('first_label=good&second_label=bad'))
})

import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { candidate, dropped, example, funnel } from '@/testing/candidate-data'
import { alice, curated } from '@/testing/catalogue-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { FunnelPage } from './funnel-page'

beforeEach(() => {
  server.use(
    http.get('*/api/v1/projects/:slug/funnel', () => HttpResponse.json(funnel)),
    http.get('*/funnel/:rule', () => HttpResponse.json({ next: null, previous: null, results: [] })),
  )
})

function open(search: { rule?: string; source?: string } = {}) {
  const page = <FunnelPage project={curated} search={{ rule: '', source: '', ...search }} />
  return renderPage(page, alice)
}

const steps = async () => {
  const flow = within(await screen.findByRole('region', { name: 'From all captions to kept captions' }))
  return flow.getAllByRole('listitem').map((item) => item.textContent)
}

test('the chain stands in its order with what each rule dropped and repaired', async () => {
  open()
  expect(await steps()).toEqual([
    'All captions100',
    'Not cleaned yet5',
    'Markup12 corrected',
    'Too short30 removed',
    'Duplicate5 removed',
    'Kept60',
    'Not English3',
    'Kept by hand2',
  ])
  expect(screen.getByText(/100 captions in total, 60 kept/)).toBeVisible()
})

test('until a rule is chosen, the examples are those of the rule that removed most', async () => {
  open()
  expect(await screen.findByRole('region', { name: 'Examples: Too short' })).toBeVisible()
  expect(await screen.findByRole('link', { name: /Too short.*removed/, current: 'page' })).toBeVisible()
})

test('one source has its own numbers', async () => {
  open({ source: 'corpus' })
  expect(await steps()).toEqual(['All captions60', 'Duplicate5 removed', 'Kept55'])
})

test('a chip for each source keeps the rule in the address', async () => {
  open({ rule: 'markup', source: 'corpus' })
  const chips = within(await screen.findByRole('navigation', { name: 'Source' }))
  expect(chips.getByRole('link', { current: 'page' })).toHaveTextContent(/^Corpus/)
  const web = chips.getByRole('link', { name: 'Web titles 40' }).getAttribute('href')
  expect(web).toContain('rule=markup')
  expect(web).toContain('source=web')
})

test('a rule leads to its examples, and a repaired one shows the words that went and came', async () => {
  const before = 'Red sky &amp; sea | The Prints'
  const row = example(candidate(5, { raw_text: before, text: 'Red sky & sea' }), 'Red sky & sea', [
    'markup',
    'site_name',
  ])
  const asked: string[] = []
  server.use(
    http.get('*/funnel/markup', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('source') ?? '')
      return HttpResponse.json({ next: null, previous: null, results: [row] })
    }),
  )
  open({ rule: 'markup', source: 'web' })
  const examples = within(await screen.findByRole('region', { name: 'Examples: Markup' }))
  expect(await examples.findByText('corrected by: Markup, Site name')).toBeVisible()
  const removed = [...document.querySelectorAll('del')].map((piece) => piece.textContent)
  expect(removed.join('')).toContain('| The Prints')
  expect(examples.getByRole('link', { name: 'All captions of Harbour 7' })).toHaveAttribute(
    'href',
    '/projects/harbour/images/7/captions',
  )
  expect(asked).toEqual(['web'])
  expect(screen.getByRole('link', { name: /Too short.*removed/, current: false })).toBeVisible()
})

test('an example is undone in its place, and the numbers are read anew', async () => {
  let nRead = 0
  server.use(
    http.get('*/api/v1/projects/:slug/funnel', () => {
      nRead += 1
      return HttpResponse.json(funnel)
    }),
    http.get('*/funnel/too_short', () => {
      const row = example(dropped(3, 'too_short', '1 word, 3 needed', { raw_text: 'Sea' }), 'Sea')
      return HttpResponse.json({ next: null, previous: null, results: [row] })
    }),
    http.post('*/candidates/3/restore', () => HttpResponse.json(candidate(3, { text: 'Sea', raw_text: 'Sea' }))),
  )
  const { user } = open({ rule: 'too_short' })
  expect(await screen.findByText('1 word, 3 needed')).toBeVisible()
  await user.keyboard('jr')
  expect(await screen.findByText('The caption is kept.')).toBeVisible()
  expect(screen.getByText('Sea')).toBeVisible()
  await waitFor(() => expect(nRead).toBe(2))
})

test('a repeated caption leads to the one that is kept', async () => {
  const twin = { id: 9, text: 'The sea & the sky' }
  const row = example(dropped(3, 'duplicate', 'ab', { raw_text: 'the sea!', repeats: twin }), 'the sea!')
  server.use(http.get('*/funnel/duplicate', () => HttpResponse.json({ next: null, previous: null, results: [row] })))
  open({ rule: 'duplicate' })
  expect(await screen.findByRole('link', { name: 'The sea & the sky' })).toHaveAttribute(
    'href',
    expect.stringContaining('/images/7/captions?text='),
  )
})

test('pages that hold no example of a repairing rule are read past', async () => {
  const row = example(candidate(5, { raw_text: 'a  b', text: 'a b' }), 'a b', ['characters'])
  server.use(
    http.get('*/funnel/characters', ({ request }) => {
      const isFirst = !new URL(request.url).searchParams.has('cursor')
      const next = isFirst ? 'http://localhost/api/v1/projects/harbour/funnel/characters?cursor=2' : null
      return HttpResponse.json({ next, previous: null, results: isFirst ? [] : [row] })
    }),
  )
  open({ rule: 'characters' })
  expect(await screen.findByText('corrected by: Characters')).toBeVisible()
})

test('a project without captions is sent to the walk', async () => {
  server.use(
    http.get('*/api/v1/projects/:slug/funnel', () =>
      HttpResponse.json({ ...funnel, n_candidates: 0, n_kept: 0, rules: [], sources: [] }),
    ),
  )
  open()
  expect(await screen.findByRole('link', { name: 'Go to the pipeline' })).toBeVisible()
})

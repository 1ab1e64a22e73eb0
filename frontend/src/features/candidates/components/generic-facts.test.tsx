import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import type { Candidate } from '@/lib/api/served'
import { candidate, dropped, summary } from '@/testing/candidate-data'
import { alice, curated, image } from '@/testing/catalogue-data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { afterVerdict } from '../state/optimistic'
import { type PoolFilter, readFilter } from '../state/pool-filter'
import { PoolPage } from './pool-page'

const score = (changes: Partial<NonNullable<Candidate['generic']>>) => ({
  score: 12 / 99,
  n_matched: 12,
  n_judged: 99,
  n_undecided: 0,
  hubness: 0,
  reason_code: 'fits_many' as const,
  ...changes,
})

function open(pool: readonly Candidate[], filter: PoolFilter = {}, nGeneric = 2) {
  const asked: URL[] = []
  const onFilter = vi.fn()
  server.use(
    http.get('*/api/v1/projects/:slug/images/:id', () => HttpResponse.json(image(2))),
    http.get('*/images/2/pool', () => refusal(404, 'no_pool', 'Nothing was retrieved for this image yet.')),
    http.get('*/images/2/candidates/summary', () => HttpResponse.json({ ...summary, n_generic: nGeneric })),
    http.get('*/images/2/candidates', ({ request }) => {
      asked.push(new URL(request.url))
      return HttpResponse.json({ next: null, previous: null, results: pool })
    }),
  )
  const page = <PoolPage project={curated} imageId={2} filter={filter} onFilter={onFilter} />
  return { ...renderPage(page, alice), asked, onFilter }
}

async function row(words: string) {
  const found = (await screen.findByText(words)).closest('li')
  if (!found) throw new Error(`${words} stands in no row`)
  return within(found)
}

test('a caption that fits many other pictures is flagged, with its share; nothing of it is dropped', async () => {
  open([candidate(1, { generic: score({}) })])
  const flagged = await row('Caption 1')
  expect(flagged.getByText('Fits many images')).toBeVisible()
  expect(flagged.getByText('fits 12 of 99 other images, 12.1%')).toBeVisible()
  expect(flagged.getByText('Kept')).toBeVisible()
})

test('a caption that fits few says how many without a flag, and what else is known', async () => {
  const few = score({ score: 1 / 4999, n_matched: 1, n_judged: 4999, n_undecided: 3, hubness: 1200, reason_code: null })
  open([candidate(1, { generic: few })])
  const plain = await row('Caption 1')
  expect(plain.getByText('fits 1 of 4,999 other images, 0.02%')).toBeVisible()
  expect(plain.getByText('3 unclear')).toBeVisible()
  expect(plain.getByText('one of the ten best captions of 1,200 images')).toBeVisible()
  expect(plain.queryByText('Fits many images')).not.toBeInTheDocument()
})

test('one among the highest shares says why it is flagged', async () => {
  open([candidate(1, { generic: score({ score: 0.009, reason_code: 'among_the_highest' }) })])
  expect((await row('Caption 1')).getByText('one of the highest shares of all captions')).toBeVisible()
})

test('where nothing is decided there is no share, and where nothing was scored nothing is said', async () => {
  const open5 = score({ score: null, n_matched: 0, n_judged: 0, n_undecided: 5, reason_code: null })
  open([candidate(1, { generic: open5 }), candidate(2)])
  expect((await row('Caption 1')).getByText('5 unclear')).toBeVisible()
  expect((await row('Caption 1')).queryByText(/^fits/)).not.toBeInTheDocument()
  expect((await row('Caption 2')).queryByText(/unclear|^fits/)).not.toBeInTheDocument()
})

test('the flagged ones are chosen among the flags, and asked for by their own name', async () => {
  const { user, onFilter, asked } = open([candidate(1)], { flag: 'adult' })
  await user.click(await screen.findByRole('button', { name: /^Flag/ }))
  await user.click(await screen.findByRole('option', { name: 'Fits many images, 2' }))
  expect(onFilter).toHaveBeenCalledWith({ generic: 'flagged' })
  expect(asked[0]?.searchParams.get('flag')).toBe('adult')
})

test('the address holds the filter and the order, and nothing that makes no sense', async () => {
  expect(readFilter({ generic: 'flagged', sort: 'generic' })).toEqual({ generic: 'flagged', sort: 'generic' })
  expect(readFilter({ generic: 'all' })).toEqual({})
  const { asked } = open([candidate(1)], { generic: 'flagged', sort: 'generic' })
  await row('Caption 1')
  expect(asked[0]?.search).toContain('generic=flagged')
  expect(asked[0]?.searchParams.get('sort')).toBe('generic')
})

test('dropped by hand, a caption has no text that a score would be of', () => {
  const one = { candidate: candidate(1, { generic: score({}) }), verdict: 'drop' as const, reason: '' }
  expect(afterVerdict(one).generic).toBeNull()
  expect(dropped(2, 'too_short', '').generic).toBeNull()
})

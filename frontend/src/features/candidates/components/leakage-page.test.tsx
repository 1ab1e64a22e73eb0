import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { Suspect, SuspectCounts } from '@/lib/api/served'
import { alice, curated } from '@/testing/catalogue-data'
import { suspect } from '@/testing/corpora-data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { readSuspectFilter, type SuspectFilter } from '../state/suspect-words'
import { LeakagePage } from './leakage-page'

/** Serves suspects and their counts, and takes decisions; gives those that were sent. */
function serve(
  suspects: readonly Suspect[],
  counts: SuspectCounts = { open: suspects.length, kept_out: 0, allowed: 0, open_by_cosine: [] },
): unknown[] {
  const sent: unknown[] = []
  server.use(
    http.get('*/projects/:slug/suspects/counts', () => HttpResponse.json(counts)),
    http.get('*/projects/:slug/suspects', () => HttpResponse.json({ next: null, previous: null, results: suspects })),
    http.post('*/suspects/:id/decisions', async ({ request, params }) => {
      const { decision } = (await request.json()) as { decision: Suspect['decision'] }
      sent.push([params.id, decision])
      const decided = { decided_by: 'Alice', created_at: new Date().toISOString() }
      return HttpResponse.json(suspect(Number(params.id), { decision, decided }))
    }),
  )
  return sent
}

const open = (filter: SuspectFilter = 'open') => renderPage(<LeakagePage project={curated} filter={filter} />, alice)

const rows = () => screen.findAllByRole('listitem').then((items) => items.filter((item) => item.dataset.index))

test('without a suspect the page says what will be listed', async () => {
  serve([])
  open()
  expect(await screen.findByRole('heading', { name: 'No possible copies' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go to the corpora' })).toBeVisible()
})

test('when all are decided nobody waits', async () => {
  serve([], { open: 0, kept_out: 3, allowed: 1, open_by_cosine: [] })
  open()
  expect(await screen.findByRole('heading', { name: 'Nothing left to decide' })).toBeVisible()
  expect(screen.getByRole('link', { name: /Excluded/ })).toHaveTextContent('3')
})

test('where the suspects cannot be counted nothing is said to be decided', async () => {
  serve([])
  server.use(http.get('*/projects/:slug/suspects/counts', () => refusal(500, 'broken', 'It could not be counted.')))
  open()
  expect(await screen.findByRole('heading', { name: 'No possible copy to decide about' })).toBeVisible()
  expect(screen.queryByText(/has a decision/)).not.toBeInTheDocument()
})

test('a suspect stands beside the photograph with what each rule saw', async () => {
  serve([suspect(1), suspect(2, { bits: 0, cosine: null })])
  open()
  const [both, hash] = (await rows()).map((row) => within(row))
  expect(both?.getByAltText('Image: Harbour 1')).toHaveAttribute('src', '/media/1.webp')
  expect(both?.getByAltText('Image in the corpus cc3m')).toHaveAttribute('src', '/api/v1/suspects/1/picture')
  expect(both?.getByText('hash differs in 2 of 64 bits')).toBeVisible()
  expect(both?.getByText('cosine 0.987')).toBeVisible()
  expect(both?.getByText('To decide (excluded for now)')).toBeVisible()
  expect(hash?.getByText('same perceptual hash')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Download as CSV' })).toHaveAttribute(
    'href',
    '/api/v1/projects/harbour/suspects.csv?decision=open',
  )
})

test('a picture that cannot be had leaves a quiet place', async () => {
  serve([suspect(1)])
  open()
  const picture = await screen.findByAltText('Image in the corpus cc3m')
  picture.dispatchEvent(new Event('error'))
  expect(await screen.findByText('This corpus image can no longer be read.')).toBeVisible()
})

test('X keeps out and goes on to the next, A allows it, J and K move, and Z takes the last back', async () => {
  const sent = serve([suspect(1), suspect(2)])
  const { user } = open()
  const [first, second] = (await rows()).map((row) => within(row))
  await user.keyboard('x')
  expect(await first?.findByText('Excluded')).toBeVisible()
  expect(await first?.findByText(/by Alice/)).toBeVisible()
  await user.keyboard('kja')
  expect(await second?.findByText('Allowed')).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Undo' })).toHaveAttribute('aria-keyshortcuts', 'z')
  await user.keyboard('z')
  expect(await second?.findByText('To decide (excluded for now)')).toBeVisible()
  await waitFor(() =>
    expect(sent).toEqual([
      ['1', 'kept_out'],
      ['2', 'allowed'],
      ['2', 'open'],
    ]),
  )
})

test('a refused decision is taken back and told', async () => {
  serve([suspect(1)])
  server.use(
    http.post('*/suspects/:id/decisions', () => refusal(403, 'forbidden', 'Your role does not allow it any more.')),
  )
  const { user } = open()
  const row = within((await rows())[0] ?? document.body)
  await user.click(row.getByRole('button', { name: 'Allow' }))
  expect(await screen.findByText('Your role does not allow it any more.')).toBeVisible()
  expect(row.getByText('To decide (excluded for now)')).toBeVisible()
})

test.each([
  [{ decision: 'allowed' }, 'allowed'],
  [{ decision: 'all' }, 'all'],
  [{ decision: 7 }, 'open'],
  [{}, 'open'],
] as const)('the address %o shows %s', (search, filter) => {
  expect(readSuspectFilter(search)).toBe(filter)
})

test('a threshold says how many look so much alike, and all of them are kept out at once', async () => {
  const byCosine = [
    { cosine: 0.951, n: 2 },
    { cosine: 0.99, n: 3 },
    { cosine: null, n: 1 },
  ]
  serve([suspect(1)], { open: 6, kept_out: 0, allowed: 0, open_by_cosine: byCosine })
  const asked: (string | null)[] = []
  const sent: unknown[] = []
  server.use(
    http.get('*/projects/:slug/suspects', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('min_cosine'))
      return HttpResponse.json({ next: null, previous: null, results: [suspect(1)] })
    }),
    http.post('*/projects/:slug/suspects/keep-out', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ n_kept_out: 4 })
    }),
  )
  const { user } = open()
  expect(await screen.findByRole('button', { name: 'Exclude all 6' })).toBeVisible()
  fireEvent.change(screen.getByRole('slider', { name: 'Least similarity (cosine)' }), { target: { value: '960' } })
  expect(await screen.findByText('0.960, 4 possible copies')).toBeVisible()
  await waitFor(() => expect(asked).toEqual([null, '0.96']))
  await user.click(screen.getByRole('button', { name: 'Exclude all 4' }))
  await waitFor(() => expect(sent).toEqual([{ min_cosine: 0.96, expected: 4 }]))
})

test('the difference lies over the corpus picture', async () => {
  serve([suspect(1)])
  const { user } = open()
  await rows()
  await user.keyboard('d')
  expect(screen.getByRole('img', { name: 'Difference' })).toHaveAttribute('src', '/media/1.webp')
  await user.keyboard('d')
  expect(screen.queryByRole('img', { name: 'Difference' })).not.toBeInTheDocument()
})

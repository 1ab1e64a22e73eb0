import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Candidate } from '@/lib/api/served'
import { candidate, dropped, summary } from '@/testing/candidate-data'
import { alice, curated, image } from '@/testing/catalogue-data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import type { PoolFilter } from '../state/pool-filter'
import { PoolPage } from './pool-page'

const twin = { id: 1, text: 'The sea & the sky' }
const pool = [
  candidate(1, {
    raw_text: 'The sea &amp; the sky',
    text: 'The sea & the sky',
    similarity: 0.7891,
    rank: 3,
    source_ref: 'cc3m/17',
    flags: ['personal_data'],
  }),
  dropped(2, 'duplicate', 'ab12', { raw_text: 'the sea & the sky!', repeats: twin }),
  dropped(3, 'too_short', '1 word, 3 needed', { raw_text: 'Sea' }),
  candidate(4, { text: '', raw_text: 'Nobody has looked', status: 'new', source: 'web' }),
]

/** Serves the pool; gives what was asked of it. */
function servePool(candidates: readonly Candidate[] = pool): URL[] {
  const asked: URL[] = []
  server.use(
    http.get('*/api/v1/projects/:slug/images/:id', () => HttpResponse.json(image(2))),
    http.get('*/images/2/pool', () => refusal(404, 'no_pool', 'Nothing was retrieved for this image yet.')),
    http.get('*/images/2/candidates/summary', () => HttpResponse.json(summary)),
    http.get('*/images/2/candidates', ({ request }) => {
      asked.push(new URL(request.url))
      return HttpResponse.json({ next: null, previous: null, results: candidates })
    }),
  )
  return asked
}

beforeEach(() => void servePool())

function open(filter: PoolFilter = {}, onFilter: (filter: PoolFilter) => void = () => undefined) {
  return renderPage(<PoolPage project={curated} imageId={2} filter={filter} onFilter={onFilter} />, alice)
}

const rowOf = async (text: string) => {
  const row = (await screen.findAllByText(text))[0]?.closest('li')
  if (!row) throw new Error(`${text} is in no row`)
  return within(row)
}

test('each caption says in words its status, its source and how near its picture is', async () => {
  open()
  const kept = await rowOf('The sea & the sky')
  for (const fact of ['Kept', 'Corpus', 'cc3m/17', 'similarity 0.789', 'rank 3', 'Personal data']) {
    expect(kept.getByText(fact)).toBeVisible()
  }
  const short = await rowOf('Sea')
  expect(short.getByText('Too short')).toBeVisible()
  expect(short.getByText('1 word, 3 needed')).toBeVisible()
  const repeated = await rowOf('the sea & the sky!')
  expect(repeated.getByRole('link', { name: 'The sea & the sky' })).toHaveAttribute(
    'href',
    expect.stringContaining('/images/2/captions?text='),
  )
  expect(repeated.queryByText('ab12')).not.toBeInTheDocument()
  expect((await rowOf('Nobody has looked')).getByText('Not cleaned yet')).toBeVisible()
  expect(await screen.findByText('5 captions: 2 kept, 2 removed, 1 not cleaned yet')).toBeVisible()
})

test('an empty pool of retrieval says why, a full one how near its pictures are', async () => {
  const retrieved = { n_pictures: 34, n_captions: 50, n_kept_out: 1, mean_similarity: 0.7612, reason: '' }
  server.use(http.get('*/images/2/pool', () => HttpResponse.json(retrieved)))
  const { unmount } = open()
  expect(await screen.findByText(/34 similar corpus images, mean similarity 0.761, 1 excluded/)).toBeVisible()
  unmount()
  const reason = 'No picture of the corpora comes near enough.'
  server.use(http.get('*/images/2/pool', () => HttpResponse.json({ ...retrieved, n_pictures: 0, reason })))
  open()
  expect(await screen.findByText(reason)).toBeVisible()
})

test('only a caption that a picture lent asks for a picture, and one that is gone leaves a plain place', async () => {
  open()
  const picture = (await rowOf('The sea & the sky')).getByAltText('The original image of this caption')
  expect(picture).toHaveAttribute('src', '/api/v1/projects/harbour/candidates/1/neighbour')
  expect(picture).toHaveAttribute('loading', 'lazy')
  expect(screen.getAllByRole('img', { name: 'The original image of this caption' })).toHaveLength(1)
  picture.dispatchEvent(new Event('error'))
  await waitFor(() => expect(picture).not.toBeInTheDocument())
})

test('J and K walk through the captions, and R restores the one they stopped at, at once', async () => {
  const sent: unknown[] = []
  let answer: (value: unknown) => void = () => undefined
  const held = new Promise((resolve) => (answer = resolve))
  server.use(
    http.post('*/candidates/3/restore', async ({ request }) => {
      sent.push(await request.json())
      await held
      const decision = { verdict: 'keep', decided_by: 'Alice', reason: '', created_at: new Date().toISOString() }
      return HttpResponse.json(candidate(3, { text: 'Sea', decision: decision as Candidate['decision'] }))
    }),
  )
  const { user } = open()
  const short = await rowOf('Sea')
  await user.keyboard('jjj')
  await waitFor(() => expect(document.activeElement).toHaveAttribute('data-index', '2'))
  expect(document.activeElement).toHaveTextContent('1 word, 3 needed')
  await user.keyboard('kj')
  await user.keyboard('r')
  expect(await short.findByText('Kept')).toBeVisible()
  expect(short.queryByText(/Kept by/)).not.toBeInTheDocument()
  answer(null)
  expect(await short.findByText(/Kept by Alice/)).toBeVisible()
  expect(sent).toEqual([{ reason: '' }])
})

test('a decision is taken back with Z, and the rule’s reason goes along', async () => {
  const reasons: string[] = []
  server.use(
    http.post('*/candidates/3/restore', () => HttpResponse.json(candidate(3, { text: 'Sea' }))),
    http.post('*/candidates/3/drop', async ({ request }) => {
      const { reason } = (await request.json()) as { reason: string }
      reasons.push(reason)
      return HttpResponse.json(dropped(3, 'by_hand', reason, { raw_text: 'Sea' }))
    }),
  )
  const { user } = open()
  const short = await rowOf('Sea')
  await user.click(short.getByRole('button', { name: /Restore/ }))
  expect(await screen.findByText('The caption is kept.')).toBeVisible()
  expect(await screen.findByRole('button', { name: /Undo/ })).toBeVisible()
  await user.keyboard('z')
  expect(await short.findByText('By hand')).toBeVisible()
  expect(reasons).toEqual(['As before: Too short, 1 word, 3 needed'])
})

test('what the server refuses looks as before, and its sentence is read', async () => {
  const sentence = 'This caption stands in a HIT, where people may have judged it: it stays as they saw it.'
  server.use(http.post('*/candidates/1/drop', () => refusal(409, 'in_hit', sentence)))
  const { user } = open()
  const kept = await rowOf('The sea & the sky')
  await user.click(kept.getByRole('button', { name: /Remove/ }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }))
  expect(await screen.findByText(sentence)).toBeVisible()
  expect((await rowOf('The sea & the sky')).getByText('Kept')).toBeVisible()
})

test('X asks why, and Enter drops with the reason', async () => {
  const sent: unknown[] = []
  server.use(
    http.post('*/candidates/1/drop', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json(dropped(1, 'by_hand', 'another sea', { raw_text: 'The sea &amp; the sky' }))
    }),
  )
  const { user } = open()
  await rowOf('The sea & the sky')
  await user.keyboard('jx')
  await user.type(await screen.findByLabelText('Why'), 'another sea{Enter}')
  expect(await screen.findByText('another sea')).toBeVisible()
  expect(sent).toEqual([{ reason: 'another sea' }])
})

test('A adds a caption, and the server’s refusal stands at the field', async () => {
  const sent: unknown[] = []
  server.use(
    http.post('*/images/2/candidates', async ({ request }) => {
      sent.push(await request.json())
      return sent.length === 1
        ? refusal(409, 'already_there', 'This image has this caption already.')
        : HttpResponse.json(candidate(9), { status: 201 })
    }),
  )
  const { user } = open()
  await rowOf('Sea')
  await user.keyboard('a')
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Caption'), 'Sea')
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  expect(await dialog.findByText('This image has this caption already.')).toBeVisible()
  const asked = servePool([...pool, candidate(9, { text: 'Sea, at last' })])
  await user.type(dialog.getByLabelText('Caption'), ', at last')
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  expect(await screen.findByText('Sea, at last')).toBeVisible()
  expect(sent).toEqual([{ text: 'Sea' }, { text: 'Sea, at last' }])
  expect(asked).toHaveLength(1)
})

test('a pressed button that opened the dialog has the focus again after Escape', async () => {
  const { user } = open()
  await rowOf('Sea')
  const add = screen.getByRole('button', { name: /^Add a caption/ })
  await user.click(add)
  await screen.findByRole('dialog')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(add).toHaveFocus())
})

test('/ goes to the words, and what is typed is asked for once it rests', async () => {
  const onFilter = vi.fn()
  const { user } = open({ status: 'kept' }, onFilter)
  await rowOf('Sea')
  await user.keyboard('/')
  await user.keyboard('harbour')
  await waitFor(() => expect(onFilter).toHaveBeenCalledExactlyOnceWith({ status: 'kept', text: 'harbour' }))
})

test('the filters say how many there are and are asked of the server', async () => {
  const asked = servePool()
  const onFilter = vi.fn()
  const { user } = open({ sort: 'similarity', rule: 'too_short' }, onFilter)
  await rowOf('Sea')
  expect(asked[0]?.searchParams.get('rule')).toBe('too_short')
  expect(asked[0]?.searchParams.get('sort')).toBe('similarity')
  await user.click(await screen.findByRole('button', { name: /Status/ }))
  await user.click(await screen.findByRole('option', { name: 'Removed, 2' }))
  expect(onFilter).toHaveBeenLastCalledWith({ sort: 'similarity', rule: 'too_short', status: 'dropped' })
  await user.click(screen.getByRole('button', { name: 'Show all' }))
  expect(onFilter).toHaveBeenLastCalledWith({ sort: 'similarity' })
})

test('a caption is text, whatever stands in it: tags, other directions, control characters, 100 kB', async () => {
  const tags = '<img src=x onerror=alert(1)> <b>sky</b>'
  const strange = 'زورق \u202eabc\u0007'
  servePool([
    candidate(1, { text: '', raw_text: tags, status: 'new' }),
    candidate(2, { text: '', raw_text: strange, status: 'new' }),
    candidate(3, { text: '', raw_text: 'sea '.repeat(25_000), status: 'new' }),
  ])
  const { user } = open()
  expect(await screen.findByText(tags)).toBeVisible()
  const isolated = await screen.findByText(/زورق/)
  expect(isolated.tagName).toBe('BDI')
  expect(isolated.textContent).toContain('␇')
  const long = screen.getAllByText(/^sea sea/)[0]
  expect(long?.textContent.length).toBeLessThan(600)
  await user.click(screen.getByRole('button', { name: 'Show more' }))
  expect(long?.textContent.length).toBeGreaterThan(99_000)
})

test('of 3,000 captions only those near the window are in the page', async () => {
  // jsdom has no layout: without a height every row would be near the window.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(120)
  servePool(Array.from({ length: 3000 }, (_, index) => candidate(index + 1)))
  open()
  expect(await screen.findByText('Caption 1')).toBeInTheDocument()
  expect(screen.getAllByRole('listitem').length).toBeLessThan(40)
  vi.restoreAllMocks()
})

test('a repaired caption shows on demand which words changed', async () => {
  const { user } = open()
  const kept = await rowOf('The sea & the sky')
  expect(kept.queryByText('amp;')).not.toBeInTheDocument()
  await user.click(kept.getByText('Corrected: show the changes'))
  expect(await kept.findByText('amp;')).toBeVisible()
  expect(kept.getByText('amp;').tagName).toBe('DEL')
})

test('an empty pool says what will be here, a filter that nothing fits says so', async () => {
  servePool([])
  const { unmount } = open()
  expect(await screen.findByText('No captions yet', { selector: 'h2' })).toBeVisible()
  unmount()
  open({ text: 'xyz' })
  expect(await screen.findByText('No caption matches the filters')).toBeVisible()
})

test('what the address asks for is named also where this photograph has none of it', async () => {
  open({ status: 'dropped', source: 'alt_text', rule: 'adult_terms', flag: 'adult', suggests: 'person' })
  for (const shown of ['Removed, 2', /^Source .*, 0$/, /^Removed by .*, 0$/, /^Flag .*, 0$/, 'Person, 0']) {
    expect(
      await screen.findByRole('button', { name: shown instanceof RegExp ? shown : new RegExp(shown) }),
    ).toBeVisible()
  }
})

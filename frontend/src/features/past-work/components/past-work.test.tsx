import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import type { PastHit } from '@/lib/api/served'
import { harbour, photograph } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { onPhone } from '@/testing/narrow'
import { pastHit, pastItem, remark, remarkRow } from '@/testing/remark-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { readFilter } from '../state/past-filter'
import { PastHitPage } from './past-hit-page'
import { PastWorkPage } from './past-work-page'

afterEach(() => vi.unstubAllGlobals())

function openHit(hit: PastHit, at?: number) {
  server.use(http.get('*/api/v1/assignments/:id/past', () => HttpResponse.json(hit)))
  return renderPage(<PastHitPage project={harbour} assignmentId={hit.id} at={at} />)
}

/** What is sent as the new word, and the answer of the server. */
function takeRevisions(): unknown[] {
  const sent: unknown[] = []
  server.use(
    http.post('*/api/v1/assignments/:id/judgments/:position', async ({ request, params }) => {
      const body = (await request.json()) as Record<string, unknown>
      sent.push({ position: Number(params.position), ...body })
      return HttpResponse.json({ ...pastItem(1), judged_at: '2026-03-02T10:00:00Z' }, { status: 201 })
    }),
  )
  return sent
}

function serveList(...results: PastHit[]) {
  server.use(
    http.get('*/api/v1/projects/:slug/past-work', () => HttpResponse.json({ next: null, previous: null, results })),
    http.get('*/api/v1/assignments/:id/past', ({ params }) =>
      HttpResponse.json(results.find(({ id }) => id === params.id)),
    ),
  )
}

/** The list on a phone, where each task has a page of its own. */
const listOf = (...results: PastHit[]) => {
  onPhone()
  serveList(...results)
  return renderPage(<PastWorkPage project={harbour} filter={{}} task={undefined} onFilter={vi.fn()} />)
}

test('the newest task stands open beside the list, or the one that was chosen', async () => {
  const other = pastHit({ id: '22222222-2222-4222-8222-222222222222', items: [pastItem(1, { text: 'A boat waits.' })] })
  serveList(pastHit(), other)
  const page = (task?: string) => <PastWorkPage project={harbour} filter={{}} task={task} onFilter={vi.fn()} />
  const { unmount } = renderPage(page())
  const detail = within(await screen.findByRole('group', { name: 'A submitted task' }))
  expect(await detail.findByText('Caption 2.')).toBeVisible()
  expect(detail.getByRole('img')).toHaveAttribute('src', '/media/large.webp')
  expect(screen.getByRole('link', { current: true })).toHaveTextContent('3 captions')
  expect(screen.getByRole('link', { name: /1 caption submitted/ })).toHaveAttribute(
    'href',
    expect.stringContaining('task=22222222'),
  )
  unmount()
  renderPage(page(other.id))
  expect(await screen.findByRole('link', { current: true })).toHaveTextContent('1 caption')
})

test('the own work of two weeks stands above the list', async () => {
  serveList(pastHit())
  renderPage(<PastWorkPage project={harbour} filter={{}} task={undefined} onFilter={vi.fn()} />)
  const figure = async (name: string) => (await screen.findByText(name)).nextElementSibling
  expect(await figure('Answers today')).toHaveTextContent('10')
  expect(await figure('Last 7 days')).toHaveTextContent('70')
  expect(await figure('Time per answer')).toHaveTextContent('5 s')
  expect(screen.getByRole('region', { name: 'Last 14 days' })).toHaveTextContent('Good 60%Bad 30%Unsure 10%')
})

test('feedback stands under the answer that it is about, and leads to the inbox', async () => {
  const about = remarkRow({ assignment: pastHit().id, item: pastItem(2) })
  const inbox = { next: null, previous: null, results: [remark({ id: 7, rows: [about] })] }
  server.use(http.get('*/api/v1/projects/:slug/inbox', () => HttpResponse.json(inbox)))
  openHit(pastHit())
  const feedback = await screen.findByRole('list', { name: 'Feedback' })
  expect(feedback).toHaveTextContent('It is a metaphor')
  expect(feedback.closest('li')).toHaveTextContent('Caption 2.')
  expect(within(feedback).getByRole('link')).toHaveAttribute('href', expect.stringContaining('remark=7'))
})

test('each page that was sent is listed with what was said of every caption', async () => {
  listOf(pastHit())
  expect(await screen.findByRole('link', { name: /submitted/ })).toHaveTextContent('3 captions')
  expect(screen.getByText('Caption 2.').closest('li')).toHaveTextContent('Bad')
  expect(screen.getByRole('img')).toHaveAttribute('src', '/media/small.webp')
})

test('a caption that was edited is listed with its edits', async () => {
  const edits = [{ start: 8, end: 9, kind: 'number' as const, before: '1', after: 'one' }]
  listOf(pastHit({ items: [pastItem(1, { edits })] }))
  expect(await screen.findByRole('insertion')).toHaveTextContent('one')
  expect(screen.getByRole('deletion')).toHaveTextContent('1')
})

test('a page of a query is listed by the query, with its photographs', async () => {
  const items = [1, 2].map((position) => pastItem(position, { text: null, image: photograph }))
  listOf(pastHit({ image: null, query: { text: 'somebody waits' }, kind: 'images_of_query', items }))
  expect(await screen.findByRole('link', { name: /submitted/ })).toHaveTextContent('somebody waits')
  expect(screen.getAllByRole('img')).toHaveLength(2)
})

test('who sent nothing yet is shown the way to the first one', async () => {
  listOf()
  expect(await screen.findByRole('heading', { name: 'No submitted tasks yet' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Start the first task' })).toBeVisible()
})

test('answers are narrowed by label, state and words, and the task says how many of its captions are left', async () => {
  onPhone()
  const asked: string[] = []
  server.use(
    http.get('*/api/v1/projects/:slug/past-work', ({ request }) => {
      asked.push(new URL(request.url).search)
      return HttpResponse.json({ next: null, previous: null, results: [pastHit({ items: [pastItem(2)], n_items: 3 })] })
    }),
  )
  const onFilter = vi.fn()
  const filter = { label: 'bad', state: 'revised' } as const
  const { user } = renderPage(<PastWorkPage project={harbour} filter={filter} task={undefined} onFilter={onFilter} />)
  expect(await screen.findByRole('link', { name: /1 of 3 captions/ })).toHaveAttribute(
    'href',
    expect.stringMatching(/at=2$/),
  )
  expect(asked).toEqual(['?label=bad&state=revised'])
  expect(screen.getByRole('button', { name: 'Bad', pressed: true })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Bad' }))
  expect(onFilter).toHaveBeenLastCalledWith({ state: 'revised' })
  await user.click(screen.getByRole('button', { name: 'With feedback' }))
  expect(onFilter).toHaveBeenLastCalledWith({ label: 'bad', state: 'feedback' })
  await user.click(screen.getByRole('button', { name: 'All' }))
  expect(onFilter).toHaveBeenLastCalledWith({})
  await user.type(screen.getByRole('searchbox', { name: 'Search captions' }), ' fog ')
  await waitFor(() => expect(onFilter).toHaveBeenLastCalledWith({ ...filter, q: 'fog' }))
})

test('an address narrows past work only by what is known', () => {
  expect(readFilter({ label: 'bad', state: 'revised', q: 7 })).toEqual({ label: 'bad', state: 'revised', q: '7' })
  expect(readFilter({ label: 'fine', state: 1, q: ['fog'] })).toEqual({})
})

test('e opens the word on the current caption, and all of it is sent', async () => {
  const sent = takeRevisions()
  const { user } = openHit(pastHit())
  await screen.findByText('Caption 1.')
  await user.keyboard('jje')
  await user.click(screen.getByRole('radio', { name: 'Good' }))
  const caption = screen.getByRole('textbox', { name: 'Corrected caption' })
  await user.clear(caption)
  await user.type(caption, 'Caption two.')
  await user.type(screen.getByRole('textbox', { name: 'Comment' }), 'It is the light.')
  await user.click(screen.getByRole('button', { name: 'Save the change' }))
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Change' })).toHaveLength(3))
  const edits = [{ start: 8, end: 9, kind: 'number', before: '2', after: 'two' }]
  expect(sent).toEqual([
    { position: 2, label: 'good', lens: '', comment: 'It is the light.', is_generic: false, edits },
  ])
})

test('a caption that is no longer good loses its lens', async () => {
  const sent = takeRevisions()
  const { user } = openHit(pastHit({ items: [pastItem(1, { lens: 'literal' })] }))
  await user.click(await screen.findByRole('button', { name: 'Change' }))
  await user.click(screen.getByRole('radio', { name: 'Bad' }))
  expect(screen.queryByRole('button', { name: /Why it fits/ })).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Save the change' }))
  expect(await screen.findByRole('button', { name: 'Change' })).toBeVisible()
  expect(sent).toMatchObject([{ label: 'bad', lens: '' }])
})

const closed = { by: 'Dora', on: '2026-03-05', sentence: '' }
const sentence = 'Dora reviewed this task on 5 March 2026. You can no longer change it.'

test('a page that the review closed says once by whom and when, and cannot be changed', async () => {
  const { user } = openHit(pastHit({ items: [1, 2, 3].map((position) => pastItem(position, { closed })) }))
  expect(await screen.findByText(sentence)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Change' })).not.toBeInTheDocument()
  await user.keyboard('e')
  expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
})

test('on a closed page what a remark is about can still be changed', async () => {
  const { user } = openHit(pastHit({ items: [pastItem(1, { closed }), pastItem(2), pastItem(3, { closed })] }))
  const words = 'Dora reviewed this task on 5 March 2026. You can only change answers that have feedback.'
  expect(await screen.findByText(words)).toBeVisible()
  const [first, second] = screen.getAllByRole('listitem')
  if (!first || !second) throw new Error('There are no items.')
  expect(within(first).queryByRole('button')).not.toBeInTheDocument()
  await user.click(within(second).getByRole('button', { name: 'Change' }))
  expect(screen.getByRole('textbox', { name: 'Comment' })).toBeVisible()
})

test('what was settled by itself on a closed page says so itself', async () => {
  const own = { ...closed, by: 'Alice' }
  openHit(pastHit({ items: [pastItem(1, { closed }), pastItem(2, { closed: own })] }))
  const second = await screen.findByText(sentence.replace('Dora', 'Alice'))
  expect(second.closest('li')).toHaveTextContent('Caption 2.')
  expect(screen.getByText(sentence).closest('li')).toHaveTextContent('Caption 1.')
})

test('an open page says nothing of being closed', async () => {
  openHit(pastHit())
  expect(await screen.findAllByRole('button', { name: 'Change' })).toHaveLength(3)
  expect(screen.queryByText(/settled/)).not.toBeInTheDocument()
})

test('a refusal is said where the change was made, and what was written stays', async () => {
  server.use(http.post('*/api/v1/assignments/:id/judgments/:position', () => refusal(409, 'review_closed', sentence)))
  const { user } = openHit(pastHit({ items: [pastItem(1)] }))
  await user.click(await screen.findByRole('button', { name: 'Change' }))
  await user.type(screen.getByRole('textbox', { name: 'Comment' }), 'Wait.')
  await user.click(screen.getByRole('button', { name: 'Save the change' }))
  expect(await screen.findByText(sentence)).toBeVisible()
  expect(screen.getByRole('textbox', { name: 'Comment' })).toHaveValue('Wait.')
})

test('a remark leads to the very caption', async () => {
  openHit(pastHit(), 3)
  const third = (await screen.findByText('Caption 3.')).closest('li')
  expect(third).toHaveFocus()
})

test('the focus goes along into the form and back to the row', async () => {
  takeRevisions()
  const { user } = openHit(pastHit())
  const [first] = await screen.findAllByRole('button', { name: 'Change' })
  if (!first) throw new Error('Nothing can be changed.')
  await user.click(first)
  await waitFor(() => expect(screen.getByRole('radio', { checked: true })).toHaveFocus())
  await user.click(screen.getByRole('radio', { name: 'Unsure' }))
  await user.click(screen.getByRole('button', { name: 'Save the change' }))
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Change' })[0]).toHaveFocus())
})

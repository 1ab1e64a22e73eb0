import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { shelf } from '@/lib/store/shelf'
import { accepted, answerSubmitsWith, queue, second, third } from '@/testing/annotating'
import { assignment, bob, harbour } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { AnnotatePage } from './annotate-page'

async function openPage(me = bob) {
  const view = renderPage(<AnnotatePage project={harbour} />, me)
  await screen.findByText('The sea keeps its own counsel.')
  return view
}

/** What this browser still keeps of anybody's work. */
const kept = async () => [...(await shelf('drafts').all()), ...(await shelf('outbox').all())]

const openCaption = () => document.querySelector('[data-open]')?.textContent

test('a whole photograph is judged and sent by keyboard, and the next one is there', async () => {
  const sent = answerSubmitsWith(() => accepted())
  const { user } = await openPage()
  await user.keyboard('g')
  expect(openCaption()).toContain('A red tractor in a field.')
  await user.keyboard('23{Enter}')
  expect(await screen.findByText('Rain, later.')).toBeVisible()
  expect(sent[0]?.body.judgments.map(({ position, label }) => [position, label])).toEqual([
    [1, 'good'],
    [2, 'bad'],
    [3, 'unsure'],
  ])
  expect(sent[0]?.body.fetch_next).toBe(true)
  expect(sent[0]?.body.judgments.every(({ ms }) => typeof ms === 'number' && ms >= 0)).toBe(true)
  expect(await kept()).toEqual([])
})

test('while the next photograph is being decoded nothing is sent twice', async () => {
  let decoded: () => void = () => undefined
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockImplementation(
    () =>
      new Promise((resolve) => {
        decoded = resolve
      }),
  )
  const sent = answerSubmitsWith(() => accepted())
  const { user } = await openPage()
  await user.keyboard('gbu{Enter}{Enter}')
  await waitFor(() => expect(sent).toHaveLength(1))
  await user.keyboard('{Enter}')
  expect(screen.getByRole('button', { name: 'Undo' })).toBeDisabled()
  decoded()
  expect(await screen.findByText('Rain, later.')).toBeVisible()
  expect(sent).toHaveLength(1)
})

test('after the last photograph the page says that none is left', async () => {
  const { user } = await openPage()
  await user.keyboard('gbu{Enter}')
  expect(await screen.findByRole('heading', { name: 'No tasks right now' })).toBeVisible()
})

test('Enter sends nothing while a caption is open', async () => {
  const sent = answerSubmitsWith(() => accepted())
  const { user } = await openPage()
  await user.keyboard('gg{Enter}')
  expect(screen.getByRole('button', { name: /Submit/ })).toBeDisabled()
  expect(sent).toEqual([])
})

test('the keys can be pressed with a pointer and then go on by keyboard', async () => {
  const { user } = await openPage()
  await user.click(screen.getByRole('button', { name: 'Bad' }))
  expect(openCaption()).toContain('A red tractor in a field.')
  await user.keyboard('z')
  expect(openCaption()).toContain('The sea keeps its own counsel.')
  expect(screen.queryByText('Bad:')).not.toBeInTheDocument()
})

test('judgments are announced', async () => {
  const { user } = await openPage()
  await user.keyboard('b')
  expect(screen.getByTestId('said-polite')).toHaveTextContent(
    'Caption 1 is bad. Caption 2 of 3: A red tractor in a field.',
  )
})

test('a judged caption shows its sign and word, and opens again by a press', async () => {
  const { user } = await openPage()
  await user.keyboard('g')
  await user.click(screen.getByRole('button', { name: 'Good: The sea keeps its own counsel.' }))
  expect(openCaption()).toContain('The sea keeps its own counsel.')
  expect(screen.getByRole('button', { name: 'Good' })).toHaveAttribute('aria-pressed', 'true')
})

test('opening a caption by Tab and Enter brings the focus along, and the keys go on', async () => {
  const { user } = await openPage()
  screen.getByRole('button', { name: 'A red tractor in a field.' }).focus()
  await user.keyboard('{Enter}')
  expect(screen.getByText('A red tractor in a field.').closest('li')).toHaveFocus()
  await user.keyboard('b')
  expect(openCaption()).toContain('Waiting is also a way of travelling.')
})

test('the next photograph is in hand before it is asked for, and stands there at once', async () => {
  queue(assignment(), second)
  let answer: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  const sent = answerSubmitsWith(() => held.then(() => accepted(third)))
  const { user, queryClient } = await openPage()
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  await user.keyboard('gbu{Enter}')
  expect(await screen.findByText('Rain, later.')).toBeVisible()
  expect(sent[0]?.body.holding).toEqual(['second'])
  // Judged and submitted while the one before is still on its way: it follows by itself.
  await user.keyboard('g{Enter}')
  expect(sent).toHaveLength(1)
  answer()
  expect(await screen.findByText('A slow boat.')).toBeVisible()
  expect(sent[1]?.body.holding).toEqual(['third'])
})

test.each([
  ['none_left', 'No tasks right now'],
  ['all_yours_done', 'You are done'],
  ['cap_reached', 'You reached the limit for this project'],
  ['holds_enough', 'You already have two open tasks'],
])('with %s the page says so', async (reason, title) => {
  server.use(
    http.post('*/api/v1/projects/:slug/assignments/next', () => HttpResponse.json({ assignment: null, reason })),
  )
  renderPage(<AnnotatePage project={harbour} />)
  expect(await screen.findByRole('heading', { name: title })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go to your projects' })).toBeVisible()
})

test('a fetch that failed can be tried again', async () => {
  server.use(
    http.post('*/api/v1/projects/:slug/assignments/next', () => refusal(403, 'not_allowed', 'Ask the curator.'), {
      once: true,
    }),
  )
  const { user } = renderPage(<AnnotatePage project={harbour} />)
  expect(await screen.findByRole('alert')).toHaveTextContent('Ask the curator.')
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('The sea keeps its own counsel.')).toBeVisible()
})

test('the person’s own keys judge, are printed on the button and are announced', async () => {
  const { user } = await openPage({
    ...bob,
    preferences: { ...bob.preferences, keys: { 'judge.good': 'q' } },
  })
  expect(screen.getByRole('button', { name: 'Good' })).toHaveAttribute('aria-keyshortcuts', 'q 1')
  await user.keyboard('g')
  expect(openCaption()).toContain('The sea keeps its own counsel.')
  await user.keyboard('q')
  expect(openCaption()).toContain('A red tractor in a field.')
})

test('the guidelines stand next to the work, which goes on, and show no HTML of their writer', async () => {
  const project = { ...harbour, guidelines: 'Be **kind**. <img src="x" alt="planted">' }
  const { user } = renderPage(<AnnotatePage project={project} />)
  await screen.findByText('The sea keeps its own counsel.')
  await user.keyboard('i')
  const drawer = await screen.findByRole('complementary', { name: 'Guidelines' })
  expect(within(drawer).getByText('kind').tagName).toBe('STRONG')
  expect(within(drawer).queryByAltText('planted')).not.toBeInTheDocument()
  await user.keyboard('g')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('complementary')).not.toBeInTheDocument())
  expect(openCaption()).toContain('A red tractor in a field.')
})

test('plus, minus and space zoom the photograph', async () => {
  const { user } = await openPage()
  const zoom = screen.getByLabelText('Zoom')
  await user.keyboard('++')
  expect(zoom).toHaveTextContent('156%')
  await user.keyboard('-')
  expect(zoom).toHaveTextContent('125%')
  await user.keyboard(' ')
  expect(zoom).toHaveTextContent('100%')
})

test('a lease running short says how long is left', async () => {
  const short = assignment({ expires_at: new Date(Date.now() + 2.5 * 60_000).toISOString() })
  server.use(
    http.post('*/api/v1/projects/:slug/assignments/next', () => HttpResponse.json({ assignment: short, reason: null })),
  )
  await openPage()
  expect(screen.getAllByText('3 min left')[0]).toBeVisible()
})

import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import type { SubmitIn } from '@/lib/api/contract'
import { assignment, bob, harbour } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { AnnotatePage } from './annotate-page'

const second = assignment({ id: 'second', items: [{ position: 1, text: 'Rain, later.', label: null }] })

interface Sent {
  key: string | null
  body: SubmitIn
}
let sent: Sent[]

beforeEach(() => {
  sent = []
})

/** Answers each submit with the next of these; the last one repeats. */
function answerSubmitsWith(...answers: (() => Response)[]): void {
  server.use(
    http.post('*/api/v1/assignments/:id/submit', async ({ request }) => {
      sent.push({ key: request.headers.get('Idempotency-Key'), body: (await request.json()) as SubmitIn })
      const answer = answers[Math.min(sent.length, answers.length) - 1]
      return answer ? answer() : HttpResponse.error()
    }),
  )
}

const accepted = () => HttpResponse.json({ submitted_at: '2026-03-01T10:00:00Z', next: second, reason: null })

const unreachable = () => HttpResponse.error()

async function openPage(me = bob) {
  const view = renderPage(<AnnotatePage project={harbour} />, me)
  await screen.findByText('The sea keeps its own counsel.')
  return view
}

const openCaption = () => document.querySelector('[data-open]')?.textContent

test('a whole photograph is judged and sent by keyboard, and the next one is there', async () => {
  answerSubmitsWith(accepted)
  const { user } = await openPage()
  await user.keyboard('g')
  expect(openCaption()).toBe('A red tractor in a field.')
  await user.keyboard('23{Enter}')
  expect(await screen.findByText('Rain, later.')).toBeVisible()
  expect(sent[0]?.body.judgments.map(({ position, label }) => [position, label])).toEqual([
    [1, 'good'],
    [2, 'bad'],
    [3, 'unsure'],
  ])
  expect(sent[0]?.body.fetch_next).toBe(true)
  expect(sent[0]?.body.judgments.every(({ ms }) => typeof ms === 'number' && ms >= 0)).toBe(true)
  expect(Object.keys(localStorage)).toEqual([])
})

test('while the next photograph is being decoded nothing is sent twice', async () => {
  let decoded: () => void = () => undefined
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockImplementation(
    () =>
      new Promise((resolve) => {
        decoded = resolve
      }),
  )
  answerSubmitsWith(accepted)
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
  expect(await screen.findByRole('heading', { name: 'No photograph waits for you' })).toBeVisible()
})

test('Enter sends nothing while a caption is open', async () => {
  answerSubmitsWith(accepted)
  const { user } = await openPage()
  await user.keyboard('gg{Enter}')
  expect(screen.getByRole('button', { name: /Submit/ })).toBeDisabled()
  expect(sent).toEqual([])
})

test('the keys can be pressed with a pointer and then go on by keyboard', async () => {
  const { user } = await openPage()
  await user.click(screen.getByRole('button', { name: 'Bad' }))
  expect(openCaption()).toBe('A red tractor in a field.')
  await user.keyboard('z')
  expect(openCaption()).toBe('The sea keeps its own counsel.')
  expect(screen.queryByText('Bad:')).not.toBeInTheDocument()
})

test('judgments are announced', async () => {
  const { user } = await openPage()
  await user.keyboard('b')
  expect(screen.getByTestId('announcement')).toHaveTextContent(
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
  expect(openCaption()).toBe('Waiting is also a way of travelling.')
})

test('a reload loses nothing', async () => {
  const first = await openPage()
  await first.user.keyboard('gb')
  first.unmount()
  await openPage()
  expect(openCaption()).toBe('Waiting is also a way of travelling.')
  expect(screen.getByRole('progressbar', { name: 'Captions judged' })).toHaveAttribute('aria-valuenow', '2')
})

test('undoing the only judgment leaves nothing behind', async () => {
  const first = await openPage()
  await first.user.keyboard('gz')
  first.unmount()
  await openPage()
  expect(screen.getByRole('progressbar', { name: 'Captions judged' })).toHaveAttribute('aria-valuenow', '0')
})

test('offline work is kept and sent under the same key when the connection returns', async () => {
  answerSubmitsWith(unreachable, accepted)
  const { user } = await openPage()
  await user.keyboard('gbu{Enter}')
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'You are offline. Your 3 judgments are kept on this device',
  )
  act(() => {
    window.dispatchEvent(new Event('online'))
  })
  expect(await screen.findByText('Rain, later.')).toBeVisible()
  expect(sent).toHaveLength(2)
  expect(sent[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
  expect(sent[1]?.key).toBe(sent[0]?.key)
})

test('judgments changed after a failed attempt go out under a new key', async () => {
  answerSubmitsWith(unreachable, accepted)
  const { user } = await openPage()
  await user.keyboard('gbu{Enter}')
  await screen.findByRole('alert')
  await user.keyboard('{ArrowUp}g{Enter}')
  await screen.findByText('Rain, later.')
  expect(sent[1]?.key).not.toBe(sent[0]?.key)
  expect(sent[1]?.body.judgments[2]?.label).toBe('good')
})

test('a lease that ran out is told plainly and leads to the next photograph', async () => {
  answerSubmitsWith(() => refusal(409, 'lease_expired', 'The lease has expired.'))
  const { user } = await openPage()
  await user.keyboard('gbu{Enter}')
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('The time for this photograph ran out')
  expect(Object.keys(localStorage)).toHaveLength(1)
  server.use(
    http.post('*/api/v1/projects/:slug/assignments/next', () =>
      HttpResponse.json({ assignment: second, reason: null }),
    ),
  )
  await user.click(within(alert).getByRole('button', { name: 'Take the next photograph' }))
  expect(await screen.findByText('Rain, later.')).toBeVisible()
})

test('somebody signed out meanwhile is led to sign in and keeps the work', async () => {
  answerSubmitsWith(() => refusal(401, 'not_signed_in', 'Sign in.'))
  const { user } = await openPage()
  await user.keyboard('gbu{Enter}')
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('You are signed out. Your 3 judgments are kept on this device')
  expect(within(alert).getByRole('link', { name: 'Sign in' })).toHaveAttribute(
    'href',
    expect.stringContaining('/sign-in'),
  )
})

test.each([
  ['none_left', 'No photograph waits for you'],
  ['all_yours_done', 'You have judged every photograph here'],
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
  const { user } = await openPage({ ...bob, preferences: { theme: 'system', keys: { 'judge.good': 'q' } } })
  expect(screen.getByRole('button', { name: 'Good' })).toHaveAttribute('aria-keyshortcuts', 'q g')
  await user.keyboard('1')
  expect(openCaption()).toBe('The sea keeps its own counsel.')
  await user.keyboard('q')
  expect(openCaption()).toBe('A red tractor in a field.')
})

test('the guidelines slide over, rest the keys, and show no HTML of their writer', async () => {
  const project = { ...harbour, guidelines: 'Be **kind**. <img src="x" alt="planted">' }
  const { user } = renderPage(<AnnotatePage project={project} />)
  await screen.findByText('The sea keeps its own counsel.')
  await user.keyboard('i')
  const drawer = await screen.findByRole('dialog', { name: 'Guidelines' })
  expect(within(drawer).getByText('kind').tagName).toBe('STRONG')
  expect(within(drawer).queryByAltText('planted')).not.toBeInTheDocument()
  await user.keyboard('g')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(openCaption()).toBe('The sea keeps its own counsel.')
})

test('plus, minus and space zoom the photograph', async () => {
  const { user } = await openPage()
  const zoom = screen.getByLabelText('Zoom')
  await user.keyboard('++')
  expect(zoom).toHaveTextContent('196%')
  await user.keyboard('-')
  expect(zoom).toHaveTextContent('140%')
  await user.keyboard(' ')
  expect(zoom).toHaveTextContent('100%')
})

test('a photograph can be handed back', async () => {
  let returned: unknown
  server.use(
    http.post('*/api/v1/assignments/:id/return', ({ params }) => {
      returned = params.id
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const { user } = await openPage()
  await user.click(screen.getByRole('button', { name: 'Hand back' }))
  await waitFor(() => expect(returned).toBe(assignment().id))
})

test('a lease running short says how long is left', async () => {
  const short = assignment({ expires_at: new Date(Date.now() + 2.5 * 60_000).toISOString() })
  server.use(
    http.post('*/api/v1/projects/:slug/assignments/next', () => HttpResponse.json({ assignment: short, reason: null })),
  )
  await openPage()
  expect(screen.getAllByText('3 min left')[0]).toBeVisible()
})

import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { toastStore } from '@/components/ui/toast-store'
import { shelf } from '@/lib/store/shelf'
import { accepted, answerSubmitsWith, queue, second, third, unreachable } from '@/testing/annotating'
import { assignment, harbour } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { AnnotatePage } from './annotate-page'

async function openPage() {
  const view = renderPage(<AnnotatePage project={harbour} />)
  await screen.findByText('The sea keeps its own counsel.')
  return view
}

/** What this browser still keeps of anybody's work. */
const kept = async () => [...(await shelf('drafts').all()), ...(await shelf('outbox').all())]

const openCaption = () => document.querySelector('[data-open]')?.textContent

test('a reload loses nothing', async () => {
  const first = await openPage()
  await first.user.keyboard('gb')
  first.unmount()
  await openPage()
  expect(openCaption()).toContain('Waiting is also a way of travelling.')
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
  const sent = answerSubmitsWith(unreachable, () => accepted())
  const { user } = await openPage()
  await user.keyboard('gbu{Enter}')
  expect(await screen.findByRole('note')).toHaveTextContent('You are offline. Your 3 answers are saved on this device')
  act(() => {
    window.dispatchEvent(new Event('online'))
  })
  expect(await screen.findByText('Rain, later.')).toBeVisible()
  expect(sent).toHaveLength(2)
  expect(sent[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
  expect(sent[1]?.key).toBe(sent[0]?.key)
})

test('judgments taken back and changed after a failed attempt go out under a new key', async () => {
  const sent = answerSubmitsWith(unreachable, () => accepted())
  const { user } = await openPage()
  await user.keyboard('gbu{Enter}')
  await user.click(await screen.findByRole('button', { name: 'Change' }))
  await user.keyboard('{ArrowUp}g{Enter}')
  await screen.findByText('Rain, later.')
  expect(sent[1]?.key).not.toBe(sent[0]?.key)
  expect(sent[1]?.body.judgments[2]?.label).toBe('good')
})

test('one that is not taken is told of on the next one, can be looked at, and is sent again from there', async () => {
  queue(assignment(), second)
  const sent = answerSubmitsWith(
    () => refusal(400, 'invalid', 'Too many at once.'),
    () => accepted(third),
  )
  const { user, queryClient } = await openPage()
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  await user.keyboard('gbu{Enter}')
  const alert = await screen.findByRole('note')
  expect(alert).toHaveTextContent(
    'A task that you submitted was not accepted. Too many at once. Your 3 answers are saved',
  )
  expect(screen.getByText('Rain, later.')).toBeVisible()
  await user.click(within(alert).getByRole('button', { name: 'Show' }))
  const dialog = await screen.findByRole('dialog', { name: 'Not accepted' })
  expect(dialog).toHaveTextContent('A red tractor in a field.')
  await user.click(within(dialog).getByRole('button', { name: 'Send again' }))
  await waitFor(() => expect(screen.queryByRole('note')).not.toBeInTheDocument())
  expect(sent[1]?.key).toBe(sent[0]?.key)
  expect(await kept()).toEqual([])
})

test('what is not taken blocks nothing behind it, and stays until it is dropped', async () => {
  queue(assignment(), second)
  const sent = answerSubmitsWith(
    () => refusal(409, 'already_skipped', 'Skipped.'),
    () => accepted(null),
  )
  const first = await openPage()
  await waitFor(() => expect(first.queryClient.isFetching()).toBe(0))
  queue(second)
  await first.user.keyboard('gbu{Enter}')
  await screen.findByText('Rain, later.')
  await first.user.keyboard('g{Enter}')
  expect(await screen.findByRole('heading', { name: 'No tasks right now' })).toBeVisible()
  expect(sent).toHaveLength(2)
  expect(screen.getByRole('note')).toHaveTextContent('already skipped')
  first.unmount()
  queue(assignment())
  const { user } = await openPage()
  await user.click(await screen.findByRole('button', { name: 'Show' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Discard' }))
  expect(await screen.findByText('There are no more rejected tasks.')).toBeVisible()
  expect(await shelf('outbox').all()).toEqual([])
})

test('two HITs judged offline wait for each other, survive a reload and are sent once, in their order', async () => {
  queue(assignment(), second)
  const sent = answerSubmitsWith(unreachable)
  const first = await openPage()
  await waitFor(() => expect(first.queryClient.isFetching()).toBe(0))
  await first.user.keyboard('gbu{Enter}')
  await screen.findByText('Rain, later.')
  expect(await screen.findByRole('note')).toHaveTextContent('Your 3 answers are saved')
  await first.user.keyboard('b{Enter}')
  await waitFor(() => expect(screen.getByRole('note')).toHaveTextContent('This task is sent after the previous task.'))
  expect(screen.getByRole('note')).toHaveTextContent('Your 4 answers')
  first.unmount()
  expect(sent.every(({ body }) => body.judgments.length === 3)).toBe(true)

  queue(third)
  const again = answerSubmitsWith(() => accepted(null))
  renderPage(<AnnotatePage project={harbour} />)
  expect(await screen.findByText('A slow boat.')).toBeVisible()
  expect(again.map(({ body }) => body.judgments.length)).toEqual([3, 1])
  expect(again[0]?.key).toBe(sent[0]?.key)
  expect(await kept()).toEqual([])
})

test('work that came too late is saved as extra answers, and the page says so', async () => {
  answerSubmitsWith(() => accepted(second, true))
  const { user } = await openPage()
  await user.keyboard('gbu{Enter}')
  await screen.findByText('Rain, later.')
  expect(toastStore.snapshot().at(-1)?.text).toMatch(/saved as extra answers/)
})

test('late work that still counts has a message too', async () => {
  const over = assignment({ expires_at: new Date(Date.now() - 60_000).toISOString() })
  queue(over)
  answerSubmitsWith(() => accepted())
  const { user } = await openPage()
  await user.keyboard('gbu{Enter}')
  await screen.findByText('Rain, later.')
  expect(toastStore.snapshot().at(-1)?.text).toMatch(/Nobody else took it, so your answers count/)
})

test('who is paused with a HIT in hand is told at once, and finishes it', async () => {
  queue(assignment(), second)
  const sent = answerSubmitsWith(() =>
    HttpResponse.json({ submitted_at: '2026-03-01T10:00:00Z', is_late: false, next: null, reason: 'paused' }),
  )
  server.use(http.get('*/api/v1/projects/:slug/annotator-state', () => HttpResponse.json({ state: 'paused', reasons: [] })))
  const { user, queryClient } = await openPage()
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  await user.keyboard('gbu{Enter}')
  await screen.findByText('Rain, later.')
  expect(await screen.findByText(/Your work in this project is paused. You can still finish this task/)).toBeVisible()
  await user.keyboard('g{Enter}')
  expect(await screen.findByRole('heading', { name: 'Your work in this project is paused' })).toBeVisible()
  expect(sent).toHaveLength(2)
})

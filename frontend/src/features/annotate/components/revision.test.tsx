import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { toastStore } from '@/components/ui/toast-store'
import type { Label } from '@/lib/api/contract'
import { accepted, answerSubmitsWith, queue, second } from '@/testing/annotating'
import { assignment, harbour } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { AnnotatePage } from './annotate-page'

const labels: Label[] = ['good', 'bad', 'unsure']
const asSent = assignment({
  status: 'submitted',
  submitted_at: '2026-03-01T10:00:00Z',
  items: assignment().items.map((item, place) => ({ ...item, label: labels[place] ?? null })),
})

/** What was revised, by the address and the body; refused where `refuse` names its position. */
function hearRevisions(refuse: Record<number, () => Response> = {}) {
  const heard: { position: number; body: unknown }[] = []
  server.use(
    http.get('*/api/v1/assignments/:id', () => HttpResponse.json(asSent)),
    http.post('*/api/v1/assignments/:id/judgments/:position', async ({ params, request }) => {
      const position = Number(params.position)
      heard.push({ position, body: await request.json() })
      return refuse[position]?.() ?? HttpResponse.json({}, { status: 201 })
    }),
  )
  return heard
}

async function sendTheFirst() {
  const view = renderPage(<AnnotatePage project={harbour} />)
  await screen.findByText('The sea keeps its own counsel.')
  await waitFor(() => expect(view.queryClient.isFetching()).toBe(0))
  await view.user.keyboard('gbu{Enter}')
  return view
}

const sentence = /You already submitted this task/
const toasts = () => toastStore.snapshot().map(({ text }) => text)

test('right after a submit one step back brings the photograph just sent, and only what changed is sent anew', async () => {
  queue(assignment(), second)
  answerSubmitsWith(() => accepted())
  const heard = hearRevisions()
  const { user } = await sendTheFirst()
  await screen.findByText('Rain, later.')
  await user.keyboard('z')
  expect(await screen.findByText(sentence)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Skip' })).not.toBeInTheDocument()
  await user.keyboard('{ArrowUp}{ArrowUp}g')
  await user.click(screen.getByRole('button', { name: 'Send changes' }))
  expect(await screen.findByText('Rain, later.')).toBeVisible()
  expect(heard).toEqual([{ position: 2, body: expect.objectContaining({ label: 'good' }) as unknown }])
  expect(toasts()).toContain('1 answer changed.')
})

test('a step of the photograph on the desk is undone before the one just sent comes back', async () => {
  queue(assignment(), second)
  answerSubmitsWith(() => accepted())
  hearRevisions()
  const { user } = await sendTheFirst()
  await screen.findByText('Rain, later.')
  await user.keyboard('gz')
  expect(screen.getByTestId('said-polite')).toHaveTextContent('Undone: caption 1, answered good.')
  expect(screen.queryByText(sentence)).not.toBeInTheDocument()
  await user.keyboard('z')
  expect(await screen.findByText(sentence)).toBeVisible()
})

test('what is still on its way comes back as soon as it has arrived', async () => {
  queue(assignment(), second)
  let arrive: () => void = () => undefined
  answerSubmitsWith(() => new Promise((resolve) => (arrive = () => resolve(accepted(null)))))
  hearRevisions()
  const { user } = await sendTheFirst()
  await screen.findByText('Rain, later.')
  await user.keyboard('z')
  expect(toasts()).toContain('The last task is not sent yet. It opens again as soon as it is sent.')
  expect(screen.queryByText(sentence)).not.toBeInTheDocument()
  arrive()
  expect(await screen.findByText(sentence)).toBeVisible()
})

test('what the review has closed is said, and the rest is changed', async () => {
  queue(assignment(), second)
  answerSubmitsWith(() => accepted())
  hearRevisions({ 1: () => refusal(409, 'review_closed', 'Dora settled an answer on this page.') })
  const { user } = await sendTheFirst()
  await screen.findByText('Rain, later.')
  await user.keyboard('z')
  await screen.findByText(sentence)
  await user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}b{ArrowUp}{ArrowUp}g{Enter}')
  await waitFor(() => expect(toasts()).toContain('1 answer changed. Number 1: Dora settled an answer on this page.'))
})

test('a page that is closed as a whole says so once', async () => {
  queue(assignment(), second)
  answerSubmitsWith(() => accepted())
  const closed = () => refusal(409, 'review_closed', 'Dora settled an answer on this page.')
  hearRevisions({ 1: closed, 2: closed, 3: closed })
  const { user } = await sendTheFirst()
  await screen.findByText('Rain, later.')
  await user.keyboard('z')
  await screen.findByText(sentence)
  await user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}b{ArrowUp}{ArrowUp}g{ArrowUp}b{Enter}')
  await waitFor(() =>
    expect(toasts()).toContain('Nothing was changed. Numbers 1, 2, 3: Dora settled an answer on this page.'),
  )
})

test('changes that find no server wait on the desk and can be sent again', async () => {
  queue(assignment(), second)
  answerSubmitsWith(() => accepted())
  let isDown = true
  const heard = hearRevisions({ 1: () => (isDown ? HttpResponse.error() : HttpResponse.json({}, { status: 201 })) })
  const { user } = await sendTheFirst()
  await screen.findByText('Rain, later.')
  await user.keyboard('z')
  await screen.findByText(sentence)
  await user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}b{Enter}')
  expect(await screen.findByText(/^You are offline\./)).toBeVisible()
  isDown = false
  await user.click(screen.getByRole('button', { name: 'Send again' }))
  await screen.findByText('Rain, later.')
  expect(heard).toHaveLength(2)
})

test('it can be left as it was sent, with a label tried and all', async () => {
  queue(assignment(), second)
  answerSubmitsWith(() => accepted())
  const heard = hearRevisions()
  const { user } = await sendTheFirst()
  await screen.findByText('Rain, later.')
  await user.keyboard('z')
  await screen.findByText(sentence)
  await user.keyboard('{ArrowUp}bx')
  expect(await screen.findByText('Rain, later.')).toBeVisible()
  expect(heard).toEqual([])
})

test('after the last photograph the one just sent can still come back', async () => {
  answerSubmitsWith(() => accepted(null))
  hearRevisions()
  const { user } = await sendTheFirst()
  await screen.findByRole('heading', { name: 'No tasks right now' })
  await user.keyboard('z')
  expect(await screen.findByText(sentence)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Keep as submitted' }))
  expect(await screen.findByRole('heading', { name: 'No tasks right now' })).toBeVisible()
})

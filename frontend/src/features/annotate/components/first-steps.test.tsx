import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { bob, harbour, progress } from '@/testing/data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { AnnotatePage } from './annotate-page'

const line = () => screen.queryByText(/Take an answer back/)

async function openAfter(submitted: number) {
  const mine = { ...progress.mine, submitted_total: submitted }
  server.use(http.get('*/api/v1/projects/:slug/progress', () => HttpResponse.json({ ...progress, mine })))
  const view = renderPage(<AnnotatePage project={harbour} />, bob)
  await screen.findByText('The sea keeps its own counsel.')
  await screen.findByText(/submitted today/)
  return view
}

test('before the first submit one line tells the keys, and the work goes on under it', async () => {
  const { user } = await openAfter(0)
  expect((await screen.findByText(/Take an answer back/)).textContent).toContain('Answer with GBU. Take an answer back')
  await user.keyboard('g')
  expect(document.querySelector('[data-open]')).toHaveTextContent('A red tractor in a field.')
})

test('it is closed by keyboard, and does not come back on another page', async () => {
  const { user, unmount } = await openAfter(0)
  const button = await screen.findByRole('button', { name: 'Got it' })
  button.focus()
  await user.keyboard('{Enter}')
  expect(line()).not.toBeInTheDocument()
  unmount()
  await openAfter(0)
  expect(line()).not.toBeInTheDocument()
})

test('a person who has submitted a task sees no first steps', async () => {
  await openAfter(1)
  expect(line()).not.toBeInTheDocument()
})

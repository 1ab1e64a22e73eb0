import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { AnnotatorDetail } from '@/lib/api/served'
import { annotator, annotatorDetail } from '@/testing/quality-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { AnnotatorDrawer } from './annotator-drawer'

const serve = (detail: AnnotatorDetail) => {
  server.use(http.get('*/annotators/:id', () => HttpResponse.json(detail)))
}

beforeEach(() => {
  serve(annotatorDetail)
})

async function open(mayCurate: boolean) {
  const view = renderPage(<AnnotatorDrawer slug="harbour" id={1} mayCurate={mayCurate} onClose={() => undefined} />)
  const drawer = within(await screen.findByRole('dialog', { name: 'Bob' }))
  await drawer.findByRole('radio', { name: 'Pause them' })
  const offered = () => drawer.getAllByRole('radio').map((radio) => radio.parentElement?.textContent ?? '')
  return { ...view, drawer, offered }
}

test('a curator may decide anything, and that they looked only where a rule asks for it', async () => {
  serve({ ...annotatorDetail, annotator: { ...annotator, needs_review: false } })
  const { offered } = await open(true)
  expect(offered()).toEqual([
    expect.stringContaining('Let them work'),
    expect.stringContaining('Pause them'),
    expect.stringContaining('Exclude them'),
    expect.stringContaining('Leave it to the rules'),
  ])
})

test('a head annotator is offered what they may do: a pause, its end, and to note that they looked', async () => {
  const { drawer, offered } = await open(false)
  expect(offered()).toEqual([
    expect.stringContaining('Pause them'),
    expect.stringContaining('Take a pause back'),
    expect.stringContaining('Note that you have looked'),
  ])
  expect(drawer.getByRole('radio', { name: 'Pause them' })).toBeChecked()
})

test('who is to be looked at is noted as looked at, and that is then no longer offered', async () => {
  let sent: unknown
  const seen = { ...annotatorDetail, annotator: { ...annotator, needs_review: false } }
  server.use(
    http.post('*/annotators/:id/state', async ({ request }) => {
      sent = await request.json()
      serve(seen)
      return HttpResponse.json(seen)
    }),
  )
  const { user, drawer, offered } = await open(false)
  await user.click(drawer.getByRole('radio', { name: 'Note that you have looked' }))
  await user.type(drawer.getByRole('textbox', { name: 'Why' }), 'The controls were hard.')
  await user.click(drawer.getByRole('button', { name: 'Decide' }))
  await waitFor(() => expect(sent).toEqual({ state: 'reviewed', reason: 'The controls were hard.' }))
  await waitFor(() => expect(offered()).toHaveLength(2))
  expect(drawer.getByRole('radio', { name: 'Pause them' })).toBeChecked()
})

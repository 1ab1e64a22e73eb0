import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { Annotator, AnnotatorDetail } from '@/lib/api/served'
import { alice } from '@/testing/catalogue-data'
import { bob } from '@/testing/data'
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

async function open(mayCurate: boolean, me = alice) {
  const view = renderPage(
    <AnnotatorDrawer slug="harbour" id={annotator.user.id} mayCurate={mayCurate} onClose={() => undefined} />,
    me,
  )
  const drawer = within(await screen.findByRole('dialog', { name: 'Bob' }))
  await drawer.findByRole('heading', { name: 'Decide by hand' })
  const offered = () => drawer.queryAllByRole('radio').map((radio) => radio.parentElement?.textContent ?? '')
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

const stands = (standing: Partial<Annotator>) => {
  serve({ ...annotatorDetail, annotator: { ...annotator, needs_review: false, ...standing } })
}

test('a head annotator is offered to note that they looked, which is chosen, and to pause who works', async () => {
  const { drawer, offered } = await open(false)
  expect(offered()).toEqual([
    expect.stringContaining('Note that you have looked'),
    expect.stringContaining('Pause them'),
  ])
  expect(drawer.getByRole('radio', { name: 'Note that you have looked' })).toBeChecked()
})

test('of who is paused by hand a head annotator is offered the end of it alone', async () => {
  stands({ state: 'paused', is_by_hand: true })
  const { drawer, offered } = await open(false)
  expect(offered()).toEqual([expect.stringContaining('Take a pause back')])
  expect(drawer.getByRole('radio', { name: 'Take a pause back' })).toBeChecked()
})

test('a head annotator notes a look at whom the rules have paused, and pauses or lifts nothing', async () => {
  stands({ state: 'paused', needs_review: true })
  const { drawer, offered } = await open(false)
  expect(offered()).toEqual([expect.stringContaining('Note that you have looked')])
  expect(drawer.getByRole('radio', { name: 'Note that you have looked' })).toBeChecked()
})

test.each([
  { state: 'excluded', is_by_hand: true },
  { state: 'excluded', is_by_hand: false },
  { state: 'paused', is_by_hand: false },
] as const)('a head annotator reads that others have decided: $state, by hand $is_by_hand', async (standing) => {
  stands(standing)
  const { drawer, offered } = await open(false)
  expect(offered()).toEqual([])
  expect(drawer.getByText(/^Nothing to decide for a head annotator/)).toBeVisible()
  expect(drawer.queryByRole('button', { name: 'Decide' })).not.toBeInTheDocument()
})

test('a head annotator decides nothing of themself', async () => {
  const { drawer, offered } = await open(false, bob)
  expect(offered()).toEqual([])
  expect(drawer.getByText(/^You decide nothing of yourself/)).toBeVisible()
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
  await waitFor(() => expect(offered()).toHaveLength(1))
  expect(drawer.getByRole('radio', { name: 'Pause them' })).toBeChecked()
})

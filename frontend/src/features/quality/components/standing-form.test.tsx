import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { AnnotatorDetail } from '@/lib/api/served'
import { alice, curated } from '@/testing/catalogue-data'
import { bob } from '@/testing/data'
import { annotator, annotatorDetail, personFigures } from '@/testing/quality-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { PersonPage } from './person-page'

const serve = (detail: AnnotatorDetail) => {
  server.use(http.get('*/harbour/annotators/:id', () => HttpResponse.json(detail)))
}

beforeEach(() => {
  serve(annotatorDetail)
  server.use(
    http.get('*/agreement/annotators/:id', () => HttpResponse.json(personFigures)),
    http.get('*/review/pages/summary', () => HttpResponse.json([])),
    http.get('*/feedback/effect', () => HttpResponse.json({ next: null, previous: null, results: [] })),
    http.get('*/agreement/habits', () => HttpResponse.json({ as_of: null, is_stale: false, results: [] })),
  )
})

async function open(mayCurate: boolean, me = alice) {
  const view = renderPage(
    <PersonPage project={{ ...curated, role: mayCurate ? 'curator' : 'head_annotator' }} id={annotator.user.id} />,
    me,
  )
  await screen.findByRole('heading', { name: 'Change the status by hand' })
  const drawer = within(screen.getByRole('main'))
  const offered = () => drawer.queryAllByRole('radio').map((radio) => radio.parentElement?.textContent ?? '')
  return { ...view, drawer, offered }
}

const may = (...decidable: AnnotatorDetail['decidable']) => {
  serve({ ...annotatorDetail, decidable })
}

test('a curator is offered what the server takes from them, in words for curators', async () => {
  may('active', 'paused', 'excluded', 'policy')
  const { offered } = await open(true)
  expect(offered()).toEqual([
    expect.stringContaining('Set to active'),
    expect.stringContaining('Pause'),
    expect.stringContaining('Exclude'),
    expect.stringContaining('Let the rules decide'),
  ])
})

test('a head annotator is offered to note that they looked, which is chosen, and to pause', async () => {
  may('paused', 'reviewed')
  const { drawer, offered } = await open(false)
  expect(offered()).toEqual([expect.stringContaining('Mark as reviewed'), expect.stringContaining('Pause')])
  expect(drawer.getByRole('radio', { name: 'Mark as reviewed' })).toBeChecked()
})

test('where a pause may be taken back alone, that is chosen', async () => {
  may('policy')
  const { drawer, offered } = await open(false)
  expect(offered()).toEqual([expect.stringContaining('End the pause')])
  expect(drawer.getByRole('radio', { name: 'End the pause' })).toBeChecked()
})

test('a head annotator reads that others have decided where nothing is left to them', async () => {
  may()
  const { drawer, offered } = await open(false)
  expect(offered()).toEqual([])
  expect(drawer.getByText(/^You cannot change this status now/)).toBeVisible()
  expect(drawer.queryByRole('button', { name: 'Pause' })).not.toBeInTheDocument()
})

test('a head annotator decides nothing of themself', async () => {
  may()
  const { drawer } = await open(false, bob)
  expect(drawer.getByText(/^You cannot change your own status/)).toBeVisible()
})

test('who is to be looked at is noted as looked at, and that is then no longer offered', async () => {
  let sent: unknown
  may('paused', 'reviewed')
  const seen: AnnotatorDetail = { ...annotatorDetail, decidable: ['paused'] }
  server.use(
    http.post('*/annotators/:id/state', async ({ request }) => {
      sent = await request.json()
      serve(seen)
      return HttpResponse.json(seen)
    }),
  )
  const { user, drawer, offered } = await open(false)
  await user.click(drawer.getByRole('radio', { name: 'Mark as reviewed' }))
  await user.type(drawer.getByRole('textbox', { name: 'Why' }), 'The controls were hard.')
  await user.click(drawer.getByRole('button', { name: 'Mark as reviewed' }))
  await waitFor(() => expect(sent).toEqual({ state: 'reviewed', reason: 'The controls were hard.' }))
  await waitFor(() => expect(offered()).toHaveLength(1))
  expect(drawer.getByRole('radio', { name: 'Pause' })).toBeChecked()
})

import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { ReleaseCheck } from '@/lib/api/served'
import { alice, curated, stage, walk } from '@/testing/catalogue-data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { WalkPage } from './walk-page'

const check = (code: ReleaseCheck['code'], n = 0, params: ReleaseCheck['params'] = {}): ReleaseCheck => ({
  code,
  state: n > 0 ? 'warning' : 'ok',
  n,
  params,
  link: '/',
})

const fine = [
  check('agreement', 0, { value: 0.712, low: 0.6, high: 0.8, band: 'strong' }),
  check('annotators_below_line'),
  check('open_disputes'),
  check('unread_comments'),
  check('images_left_out'),
  check('panel_not_for_photographs'),
  check('licences'),
]

function open(items: ReleaseCheck[]) {
  const release = stage('release', { label: 'Release', state: 'ready', last_run: null })
  server.use(
    http.get('*/projects/:slug/walk', () => HttpResponse.json({ ...walk(), stages: [...walk().stages, release] })),
    http.get('*/projects/:slug/runs', () => HttpResponse.json({ next: null, previous: null, results: [] })),
    http.get('*/projects/:slug/releases/checklist', () =>
      HttpResponse.json({ items, is_clear: items.every((item) => item.state !== 'warning') }),
    ),
  )
  return renderPage(<WalkPage project={curated} asked={{ stage: 'release', values: {} }} />, alice)
}

test('each line of the checklist is a link, and a release is possible anyway', async () => {
  const left = check('images_left_out', 7, { short_pool: 4, not_selected: 3, not_in_sample: 0, withdrawn: 0 })
  const others = fine.filter(({ code }) => code !== 'images_left_out' && code !== 'open_disputes')
  open([...others, check('open_disputes', 1200), left])
  const panel = await screen.findByRole('region', { name: 'Before the release' })
  const disputes = await within(panel).findByRole('link', { name: '1,200 disputed pairs are open' })
  expect(disputes).toHaveAttribute('href', `/projects/${curated.slug}/review`)
  expect(within(panel).getByRole('link', { name: 'Agreement 0.71 (0.60 to 0.80)' })).toBeVisible()
  expect(panel).toHaveTextContent('7 images are left out too few good captions: 4, not selected: 3')
  expect(screen.getByRole('button', { name: 'Release anyway' })).toBeEnabled()
})

test('without a warning the button starts the release as usual', async () => {
  open(fine)
  expect(await screen.findByRole('link', { name: 'All comments are read' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Release anyway' })).not.toBeInTheDocument()
})

test('a warning about the models comes with the way to those of the papers', async () => {
  const warning = { code: 'x', message: 'These models learned from drawings.', params: {} }
  const difficulty = stage('difficulty', { label: 'Rate difficulty', state: 'ready', last_run: null, warning })
  server.use(
    http.get('*/projects/:slug/walk', () => HttpResponse.json({ ...walk(), stages: [...walk().stages, difficulty] })),
    http.get('*/projects/:slug/runs', () => HttpResponse.json({ next: null, previous: null, results: [] })),
  )
  renderPage(<WalkPage project={curated} asked={{ stage: 'difficulty', values: {} }} />, alice)
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/These models learned from drawings/)).toBeVisible()
  const way = dialog.getByRole('link', { name: 'Which models the papers used' })
  expect(way).toHaveAttribute('href', `/projects/${curated.slug}/difficulty`)
})

test('a checklist that cannot be loaded does not stop a release', async () => {
  open(fine)
  server.use(http.get('*/projects/:slug/releases/checklist', () => refusal(500, 'error', 'The server is tired.')))
  expect(await screen.findByText(/The checklist could not be loaded/)).toBeVisible()
  expect(screen.getByRole('button', { name: /Release/ })).toBeEnabled()
})

import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { SelectionRow, SelectionSummary } from '@/lib/api/served'
import { curated } from '@/testing/catalogue-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { SelectionPage } from './selection-page'

const thumbnail = { url: '/t.jpg', width: 4, height: 3 }
const summary: SelectionSummary = {
  n_images: 3,
  n_selected: 1,
  n_short: 1,
  n_missing: 2,
  n_with_negative: 1,
  n_pinned: 0,
  n_banned: 1,
  n_waiting: 1,
  mean_stability: 0.25,
  run: {
    id: '33333333-3333-4333-8333-333333333333',
    finished_at: '2026-01-05T10:00:00Z',
    variant: 'kmeans',
    k: 5,
    models: { 'all-MiniLM-L6-v2': 'd' },
    seed: 7,
  },
}
const image = (id: number) => ({
  id,
  key: `photo-${id}.jpg`,
  title: '',
  thumbnail: { small: thumbnail, large: thumbnail },
})
const rows: SelectionRow[] = [
  {
    image: image(1),
    status: 'selected',
    variant: 'kmeans',
    method: 'umap_kmeans',
    n_good: 20,
    n_wanted: 5,
    n_missing: 0,
    n_clusters: 5,
    stability: 0.25,
    mean_similarity: 0.3,
    captions: [{ position: 1, candidate: 11, text: 'The long way home', cluster: 0, is_pinned: false, choice: null }],
  },
  {
    image: image(2),
    status: 'short_pool',
    variant: 'kmeans',
    method: '',
    n_good: 3,
    n_wanted: 5,
    n_missing: 2,
    n_clusters: null,
    stability: null,
    mean_similarity: null,
    captions: [],
  },
]
const everything = { status: 'all', order: 'image' } as const

beforeEach(() => {
  server.use(
    http.get('*/selection/summary', () => HttpResponse.json(summary)),
    http.get('*/selection/images', () => HttpResponse.json({ next: null, previous: null, results: rows })),
    http.get('*/captions/11/choice', () => HttpResponse.json([])),
  )
})

test('it shows the selected captions, the method and the images with too few good captions', async () => {
  renderPage(<SelectionPage project={curated} filter={everything} />)
  const [first, second] = await screen.findAllByRole('listitem').then((all) => all.filter((each) => each.closest('ul')))
  expect(first && within(first).getByText('The long way home')).toBeVisible()
  expect(screen.getByText('Stability 0.25')).toBeVisible()
  expect(second).toBeDefined()
  expect(screen.getByText('2 good captions missing')).toBeVisible()
  await userEvent.click(screen.getByText('How they were selected'))
  expect(await screen.findByText('Clusters, one caption of each')).toBeVisible()
  expect(screen.getByText(/1 image has new pins or bans/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Find more captions for 1 image' })).toBeVisible()
})

test('a caption is banned with a reason, and the reason is asked for', async () => {
  const sent: unknown[] = []
  server.use(
    http.put('*/captions/11/choice', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({
        kind: 'ban',
        reason: 'Too vague.',
        made_by: 'Dora',
        created_at: '2026-01-05T10:00:00Z',
      })
    }),
  )
  renderPage(<SelectionPage project={curated} filter={everything} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Ban “The long way home”' }))
  const dialog = screen.getByRole('dialog')
  expect(within(dialog).getByRole('button', { name: 'Ban' })).toBeDisabled()
  await userEvent.type(within(dialog).getByLabelText(/Reason/), 'Too vague.')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Ban' }))
  await expect.poll(() => sent).toEqual([{ kind: 'ban', reason: 'Too vague.' }])
})

test('before Select ran it says what to do', async () => {
  server.use(http.get('*/selection/summary', () => HttpResponse.json({ ...summary, run: null })))
  renderPage(<SelectionPage project={curated} filter={everything} />)
  expect(await screen.findByText('No captions are selected yet')).toBeVisible()
})

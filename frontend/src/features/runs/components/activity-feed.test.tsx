import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { alice, curated, run, walk } from '@/testing/catalogue-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { WalkPage } from './walk-page'

test('the feed says who started what and how it ended, newest first', async () => {
  server.use(http.get('*/api/v1/projects/:slug/walk', () => HttpResponse.json(walk())))
  const failed = run({
    id: 'b',
    stage: 'clean',
    status: 'failed',
    started_by: null,
    error: { code: 'disk_full', message: 'The disk is full.' },
  })
  const results = [
    failed,
    run({ id: 'a', stage: 'import_images', counts: { in: 16, out: 15, dropped: { damaged: 1 } } }),
  ]
  server.use(http.get('*/api/v1/projects/:slug/runs', () => HttpResponse.json({ next: null, previous: null, results })))
  renderPage(<WalkPage project={curated} />, alice)
  const feed = within(await screen.findByRole('region', { name: 'Activity' }))
  const lines = await feed.findAllByRole('listitem')
  expect(lines[0]).toHaveTextContent('A program started CleanFailed: The disk is full.')
  expect(lines[1]).toHaveTextContent(
    'Alice started Import imagesSucceeded: 16 input, 15 output, 1 removed (damaged), 41 s',
  )
})

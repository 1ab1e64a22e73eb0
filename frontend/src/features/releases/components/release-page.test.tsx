import { cleanup, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { curated } from '@/testing/catalogue-data'
import { harbour } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { ReleaseListPage } from './release-list-page'
import { ReleasePage } from './release-page'

const file = {
  name: 'captions.jsonl',
  n_bytes: 21_300,
  sha256: 'f'.repeat(64),
  url: '/api/v1/releases/r/files/captions.jsonl',
}
const release = {
  id: 'r',
  version: 2,
  label: '1.1.0',
  changelog: null,
  created_at: '2026-01-05T10:00:00Z',
  created_by: 'Alice',
  n_images: 1,
  n_captions: 1,
  n_judgments: 3,
  digest: 'd'.repeat(64),
  files: [file],
  project: 'harbour',
  manifest: {},
}
const entry = {
  position: 1,
  image: {
    digest: 'a'.repeat(64),
    key: 'photo-1',
    width: 400,
    height: 300,
    licence: { code: 'CC-BY-4.0', name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
    attribution: 'A photographer',
    thumbnail: null,
  },
  captions: [{ key: 'k', text: 'The sea keeps its own counsel.', n_good: 2, n_bad: 1, n_unsure: 0 }],
  mean_similarity: 0.4321,
  method: 'exact',
}
const page = (results: unknown[]) => HttpResponse.json({ next: null, previous: null, results })

test('a release shows its files with checksums and its photographs with captions, votes and similarity', async () => {
  // jsdom lays nothing out: every box is 1,200 by 300.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(300)
  server.use(
    http.get('*/api/v1/releases/:id/entries', () => page([entry])),
    http.get('*/api/v1/releases/:id', () => HttpResponse.json(release)),
  )
  renderPage(<ReleasePage project={harbour} releaseId="r" />)
  expect(await screen.findByRole('link', { name: 'captions.jsonl' })).toHaveAttribute('href', file.url)
  expect(screen.getByText('21.3 kB')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Copy the checksum of captions.jsonl' })).toBeVisible()
  expect(await screen.findByText('The sea keeps its own counsel.')).toBeVisible()
  expect(screen.getByText('2 good votes, 1 bad, 0 unsure')).toBeInTheDocument()
  expect(screen.getByText(/mean similarity 0.432/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'CC BY 4.0' })).toBeVisible()
})

test('before the first release an annotator is told what will be here', async () => {
  server.use(http.get('*/api/v1/projects/:slug/releases', () => page([])))
  renderPage(<ReleaseListPage project={harbour} />)
  expect(await screen.findByRole('heading', { name: 'No release yet' })).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Open the pipeline' })).not.toBeInTheDocument()
})

test('the list leads to the files, which annotators find on the page that says when it opens', async () => {
  server.use(http.get('*/api/v1/projects/:slug/releases', () => page([release])))
  renderPage(<ReleaseListPage project={curated} />)
  expect(await screen.findByRole('link', { name: 'captions.jsonl' })).toBeVisible()
  cleanup()
  renderPage(<ReleaseListPage project={harbour} />)
  expect(await screen.findByRole('link', { name: 'Version 2' })).toBeVisible()
  expect(screen.queryByRole('link', { name: 'captions.jsonl' })).not.toBeInTheDocument()
})

test('a release that is still closed to an annotator says why', async () => {
  const why = 'It opens to you once nothing is left to judge here.'
  server.use(http.get('*/api/v1/releases/:id', () => refusal(403, 'still_judged', why)))
  renderPage(<ReleasePage project={harbour} releaseId="r" />)
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('You cannot open this release yet')
  expect(screen.getByText(why)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
})

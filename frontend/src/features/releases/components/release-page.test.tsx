import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { curated } from '@/testing/catalogue-data'
import { harbour } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { PublicReleasePage } from './public-release-page'
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
  created_at: '2026-01-05T10:00:00Z',
  created_by: 'Alice',
  n_images: 1,
  n_captions: 1,
  n_judgments: 3,
  digest: 'd'.repeat(64),
  files: [file],
  archive_url: '/api/v1/releases/r/archive',
  downloads: [{ name: 'captions.jsonl', n: 57 }],
  project: 'harbour',
  project_name: 'Harbour',
  manifest: { counts: { annotators: 4 } },
  citation: { bibtex: '@misc{harbour}', cff: 'cff-version: 1.2.0' },
  public_url: null as string | null,
  changelog: null as unknown,
}
const figures = {
  captions_per_image: [{ name: '1', n: 1 }],
  sources: [{ name: 'human', n: 1 }],
  categories: [{ name: 'majority_relevant', n: 1 }],
  difficulty: [
    { name: 'hard', n: 3 },
    { name: 'easy', n: 1 },
  ],
  votes: [{ name: 'good', n: 2 }],
  splits: [{ name: 'train', n: 1 }],
  licences: [{ name: 'CC-BY-4.0', n: 1 }],
  agreement: [{ low: 0.6, high: 0.7, n: 1 }],
  n_without_votes: 2,
  lenses: null,
}
const facets = { difficulty: 'hard', lenses: ['figurative'], source: 'human', agreement: 0.67, is_match: true }
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
  captions: [{ key: 'k', text: 'The sea keeps its own counsel.', n_good: 2, n_bad: 1, n_unsure: 0, ...facets }],
  mean_similarity: 0.4321,
  method: 'exact',
}
const page = (results: unknown[]) => HttpResponse.json({ next: null, previous: null, results })

test('a release shows its files with checksums and its photographs with captions, votes and similarity', async () => {
  // jsdom lays nothing out: every box is 1,200 by 300.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(300)
  server.use(
    http.get('*/api/v1/releases/:id/entries', () => page([entry])),
    http.get('*/api/v1/releases/:id/figures', () => HttpResponse.json(figures)),
    http.get('*/api/v1/releases/:id', () => HttpResponse.json(release)),
  )
  renderPage(<ReleasePage project={harbour} releaseId="r" />)
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Harbour, version 1.1.0')
  expect(await screen.findByRole('link', { name: 'captions.jsonl' })).toHaveAttribute('href', file.url)
  expect(screen.getByText('21.3 kB')).toBeVisible()
  expect(screen.getAllByText('57')).toHaveLength(2) // of the release and of the file
  expect(screen.getByRole('button', { name: 'Copy the checksum of captions.jsonl' })).toBeVisible()
  expect(await screen.findByText('The sea keeps its own counsel.')).toBeVisible()
  expect(screen.getByText('2 good votes, 1 bad, 0 unsure')).toBeInTheDocument()
  expect(screen.getByText(/mean similarity 0.432/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'CC BY 4.0' })).toBeVisible()
  expect(screen.getByText('Hard · Figurative · human')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Public page' })).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: /^Withdraw image/ })).not.toBeInTheDocument()
})

test('figures are drawn from the whole release, and the code needs a token until there is a public page', async () => {
  server.use(
    http.get('*/api/v1/releases/:id/entries', () => page([])),
    http.get('*/api/v1/releases/:id/figures', () => HttpResponse.json(figures)),
    http.get('*/api/v1/releases/:id', () => HttpResponse.json(release)),
  )
  const { user } = renderPage(<ReleasePage project={curated} releaseId="r" />)
  const drawn = await screen.findByRole('figure', { name: 'Difficulty for the models' })
  await user.click(within(drawn).getByText('Show as a table'))
  const rows = within(within(drawn).getByRole('table')).getAllByRole('row')
  expect(rows.map(({ textContent }) => textContent)).toEqual(['NameCaptionsShare', 'Easy125%', 'Hard375%'])
  expect(screen.getByText(/2 captions have no answers/)).toBeVisible()
  expect(screen.getByText(/YOUR_TOKEN"}\)\)/)).toBeVisible()
  expect(screen.getByText('@misc{harbour}')).toBeVisible()
})

test.each([
  [2, 'Its models learned from drawings. 3 of 5 images here are not drawings.'],
  [5, null],
])('a release of %i drawings in five images says what its difficulty is worth', async (n_drawings, words) => {
  const difficulty = { trained_on_drawings: { models: ['postcards-1-rn'], n_images: 5, n_drawings } }
  server.use(
    http.get('*/api/v1/releases/:id/entries', () => page([])),
    http.get('*/api/v1/releases/:id/figures', () => HttpResponse.json(figures)),
    http.get('*/api/v1/releases/:id', () =>
      HttpResponse.json({ ...release, manifest: { ...release.manifest, difficulty } }),
    ),
  )
  renderPage(<ReleasePage project={harbour} releaseId="r" />)
  expect(await screen.findByRole('link', { name: 'captions.jsonl' })).toBeVisible()
  const warning = screen.queryByText(/Do not use the difficulty/)
  if (words) expect(warning?.parentElement).toHaveTextContent(words)
  else expect(warning).not.toBeInTheDocument()
})

test('a release says what changed since the one before', async () => {
  const moves = (added: number, left: number, changed: number) => ({
    added: { n: added, first: [] },
    left: { n: left, first: [] },
    changed: { n: changed, first: [] },
  })
  const changelog = {
    against: { label: '1.0.0', digest: 'e'.repeat(64) },
    step: 'minor',
    notes: 'More boats.',
    images: moves(3, 0, 0),
    captions: moves(12, 1, 2),
    judgments: { before: 100, after: 160 },
    difficulty: { easy: { easy: 4, hard: 2 }, hard: { easy: 1 } },
    settings: [{ name: 'selection.seed', before: '1', after: '2' }],
    is_new_format: false,
  }
  server.use(
    http.get('*/api/v1/releases/:id/entries', () => page([])),
    http.get('*/api/v1/releases/:id/figures', () => HttpResponse.json(figures)),
    http.get('*/api/v1/releases/:id', () => HttpResponse.json({ ...release, changelog })),
  )
  const { user } = renderPage(<ReleasePage project={harbour} releaseId="r" />)
  const changes = await screen.findByRole('region', { name: 'Changes since version 1.0.0' })
  expect(changes).toHaveTextContent('More boats.')
  expect(changes).toHaveTextContent('Captions12 new, 1 removed, 2 changed')
  expect(changes).toHaveTextContent('Answers100 before, 160 now')
  expect(changes).toHaveTextContent('3 captions have another difficulty')
  await user.click(within(changes).getByText('1 setting changed'))
  expect(within(changes).getByRole('row', { name: /selection.seed/ })).toHaveTextContent('12')
})

test('a curator opens the public page, and confirms it while annotators have tasks', async () => {
  const closed = { is_open: false, url: null, is_indexable: null, created_at: null, created_by: null }
  const sent: unknown[] = []
  server.use(
    http.get('*/api/v1/releases/:id/entries', () => page([])),
    http.get('*/api/v1/releases/:id/figures', () => HttpResponse.json(figures)),
    http.get('*/api/v1/releases/:id/link', () => HttpResponse.json(closed)),
    http.post('*/api/v1/releases/:id/link', async ({ request }) => {
      const body = (await request.json()) as { despite_work: boolean }
      sent.push(body)
      if (!body.despite_work) return refusal(409, 'work_left', 'Annotators still have tasks.')
      return HttpResponse.json({ ...closed, is_open: true, url: 'http://localhost/r/abc', is_indexable: true })
    }),
    http.get('*/api/v1/releases/:id', () => HttpResponse.json(release)),
  )
  const { user } = renderPage(<ReleasePage project={curated} releaseId="r" />)
  await user.click(await screen.findByRole('button', { name: 'Public page' }))
  await user.click(await screen.findByRole('checkbox', { name: 'Let search engines list the page' }))
  await user.click(screen.getByRole('button', { name: 'Open the public page' }))
  expect(await screen.findByText('Annotators still have tasks.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Open it anyway' }))
  expect(await screen.findByRole('link', { name: 'http://localhost/r/abc' })).toBeVisible()
  expect(sent).toEqual([
    { is_indexable: true, despite_work: false },
    { is_indexable: true, despite_work: true },
  ])
})

test('a curator withdraws an image with a reason, and its entry shows it', async () => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(300)
  const sent: unknown[] = []
  const digest = 'b'.repeat(64)
  const other = { ...entry, position: 2, image: { ...entry.image, digest, key: 'photo-2' } }
  server.use(
    http.get('*/api/v1/releases/:id/entries', () => page([entry, other])),
    http.get('*/api/v1/releases/:id/figures', () => HttpResponse.json(figures)),
    http.get('*/api/v1/releases/:id', () => HttpResponse.json(release)),
    http.post('*/api/v1/projects/harbour/withdrawals', async ({ request }) => {
      sent.push(await request.json())
      if (sent.length === 1) return refusal(403, 'forbidden', 'Only curators can do this.')
      if (sent.length === 2) return refusal(400, 'invalid', 'Some values are wrong.', { reason: ['Too many words.'] })
      const made = { id: 1, digest, key: 'photo-2', reason: 'The person asked for it.', created_by: 'Alice' }
      return HttpResponse.json({ ...made, created_at: '2026-02-01T10:00:00Z' }, { status: 201 })
    }),
  )
  const { user } = renderPage(<ReleasePage project={curated} releaseId="r" />)
  await user.click(await screen.findByRole('button', { name: 'Withdraw image photo-2' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Withdraw this image?' })
  expect(dialog).toHaveTextContent('photo-2')
  expect(dialog).toHaveTextContent('The next release leaves the image out.You cannot undo this.')
  const confirm = within(dialog).getByRole('button', { name: 'Withdraw image' })
  await user.click(within(dialog).getByRole('textbox', { name: 'Reason' }))
  await user.paste('  ')
  expect(confirm).toBeDisabled()
  await user.paste('The person asked for it. ')
  await user.click(confirm)
  expect(await within(dialog).findByText('Only curators can do this.')).toBeVisible()
  await user.click(confirm)
  expect(await within(dialog).findByText('Too many words.')).toBeVisible()
  await user.click(confirm)
  expect(await screen.findByText('The image was withdrawn. Reason: The person asked for it.')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
  expect(screen.getAllByRole('button', { name: /^Withdraw image/ })).toHaveLength(1)
  expect(sent).toEqual(Array(3).fill({ image: digest, reason: 'The person asked for it.' }))
})

test('an image that another curator withdrew a moment before shows the reason of that curator', async () => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(300)
  const withdrawn = { created_at: '2026-02-01T10:00:00Z', reason: 'No licence.' }
  let isGone = false
  server.use(
    http.get('*/api/v1/releases/:id/entries', () => page([isGone ? { ...entry, withdrawn } : entry])),
    http.get('*/api/v1/releases/:id/figures', () => HttpResponse.json(figures)),
    http.get('*/api/v1/releases/:id', () => HttpResponse.json(release)),
    http.post('*/api/v1/projects/harbour/withdrawals', () => {
      isGone = true
      return refusal(409, 'already_withdrawn', 'This image was withdrawn before.')
    }),
  )
  const { user } = renderPage(<ReleasePage project={curated} releaseId="r" />)
  await user.click(await screen.findByRole('button', { name: 'Withdraw image photo-1' }))
  const dialog = await screen.findByRole('alertdialog')
  await user.click(within(dialog).getByRole('textbox', { name: 'Reason' }))
  await user.paste('Wrong image')
  await user.click(within(dialog).getByRole('button', { name: 'Withdraw image' }))
  expect(await within(dialog).findByText('This image was withdrawn before.')).toBeVisible()
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  expect(await screen.findByText('The image was withdrawn. Reason: No licence.')).toBeVisible()
  expect(screen.queryByRole('button', { name: /^Withdraw image/ })).not.toBeInTheDocument()
})

test('a visitor gets code that needs no token, and filters by what the release has', async () => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(300)
  const asked: string[] = []
  const url = 'http://localhost/r/abcdefghijklmnop'
  server.use(
    http.get('*/api/v1/public/releases/:token/entries', ({ request }) => {
      asked.push(new URL(request.url).search)
      const withdrawn = { created_at: '2026-02-01T10:00:00Z', reason: 'The person asked for it.' }
      return page(asked.length > 1 ? [] : [{ ...entry, withdrawn }])
    }),
    http.get('*/api/v1/public/releases/:token/figures', () => HttpResponse.json(figures)),
    http.get('*/api/v1/public/releases/:token', () => HttpResponse.json({ ...release, public_url: url })),
  )
  const { user } = renderPage(<PublicReleasePage token="abcdefghijklmnop" />, null)
  expect(await screen.findByText(/public\/releases\/abcdefghijklmnop\/files\/captions.jsonl/)).toBeVisible()
  expect(screen.queryByText(/YOUR_TOKEN/)).not.toBeInTheDocument()
  expect(await screen.findByText('The image was withdrawn. Reason: The person asked for it.')).toBeVisible()
  // One split and one source are no choice.
  expect(screen.queryByRole('button', { name: /^Split/ })).not.toBeInTheDocument()
  await user.click(await screen.findByRole('button', { name: /Difficulty All/ }))
  await user.click(await screen.findByRole('option', { name: 'Hard' }))
  expect(await screen.findByRole('heading', { name: 'No image fits' })).toBeVisible()
  expect(asked.at(-1)).toContain('difficulty=hard')
  await user.click(screen.getByRole('button', { name: 'Show all images' }))
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'No image fits' })).not.toBeInTheDocument())
})

test.each([
  [404, 'no_such_release_link', 'This link leads to no release.'],
  [410, 'release_link_closed', 'The public page of this release is closed.'],
])('a public link that leads nowhere is one sentence (%s %s)', async (status, code, sentence) => {
  server.use(http.get('*/api/v1/public/releases/:token', () => refusal(status, code, sentence)))
  renderPage(<PublicReleasePage token="abc" />, null)
  expect(await screen.findByText(sentence)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
})

test('before the first release an annotator is told what will be here', async () => {
  server.use(http.get('*/api/v1/projects/:slug/releases', () => page([])))
  renderPage(<ReleaseListPage project={harbour} />)
  expect(await screen.findByRole('heading', { name: 'No release yet' })).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Open the pipeline' })).not.toBeInTheDocument()
})

/** What the list reads of the newest release. */
const newest = (told: object) => [
  http.get('*/api/v1/releases/:id', () => HttpResponse.json(release)),
  http.get('*/api/v1/releases/:id/figures', () => HttpResponse.json(told)),
  http.get('*/api/v1/releases/:id/entries', () => page([entry])),
]

test('the list leads to all files, which annotators find on the page that says when it opens', async () => {
  const alpha = { value: 0.412, low: 0.31, high: 0.5, n_items: 390, n_judgments: 1560 }
  const building = { id: 'next', stage: 'release', status: 'running', done: 1, total: 4 }
  server.use(
    http.get('*/api/v1/projects/:slug/releases', () =>
      page([{ ...release, alpha, n_withdrawn: 2, public_url: 'https://connote.example/r/abc' }]),
    ),
    http.get('*/api/v1/projects/:slug/runs', () => page([building])),
    ...newest({ ...figures, licences: [{ name: 'CC0-1.0', n: 18 }] }),
  )
  renderPage(<ReleaseListPage project={curated} />)
  const top = within(await screen.findByRole('region', { name: 'Newest release: 1.1.0' }))
  expect(await top.findByText('CC0-1.0 18')).toBeVisible()
  expect(await top.findByRole('button', { name: 'Copy the citation' })).toBeVisible()
  expect(top.getByRole('link', { name: /^\.zip, / })).toHaveAttribute('href', release.archive_url)
  expect(await screen.findByText('0.31 to 0.50')).toBeVisible()
  expect(screen.getByText('2 images withdrawn')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Open the public page of version 1.1.0' })).toBeVisible()
  expect(await screen.findByText(/The next release is being made\. 25%/)).toBeVisible()
  expect(screen.getAllByRole('link', { name: /^\.zip, / })).toHaveLength(2)
  cleanup()
  renderPage(<ReleaseListPage project={harbour} />)
  expect(await screen.findByRole('link', { name: 'Version 1.1.0' })).toBeVisible()
  expect(screen.queryByRole('link', { name: /^\.zip, / })).not.toBeInTheDocument()
})

test('the list counts the agreement of a release that is older than the column', async () => {
  const alpha = { value: 0.412, low: 0.31, high: 0.5, n_items: 390, n_judgments: 1560 }
  server.use(
    http.get('*/api/v1/projects/:slug/releases', () =>
      page([{ ...release, alpha: null, n_withdrawn: 0, public_url: null }]),
    ),
    http.get('*/api/v1/projects/:slug/runs', () => page([])),
    ...newest({ ...figures, alpha }),
  )
  renderPage(<ReleaseListPage project={curated} />)
  expect(await screen.findByText('0.31 to 0.50')).toBeVisible()
})

test('a release that is still closed to an annotator says why', async () => {
  const why = 'It opens to you once nothing is left to judge here.'
  server.use(http.get('*/api/v1/releases/:id', () => refusal(403, 'still_judged', why)))
  renderPage(<ReleasePage project={harbour} releaseId="r" />)
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('You cannot open this release yet')
  expect(screen.getByText(why)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
})

import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { toastStore } from '@/components/ui/toast-store'
import type { Run } from '@/lib/api/served'
import { candidate, dropped } from '@/testing/candidate-data'
import { alice, curated, image, run, walk } from '@/testing/catalogue-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { RunPage } from './run-page'

const serve = (state: Run) => server.use(http.get('*/api/v1/runs/:id', () => HttpResponse.json(state)))

beforeEach(() => {
  server.use(
    http.get('*/api/v1/projects/:slug/walk', () => HttpResponse.json(walk())),
    http.get('*/api/v1/projects/:slug/runs', () => HttpResponse.json({ next: null, previous: null, results: [] })),
    http.get('*/api/v1/projects/:slug/funnel/:rule', () =>
      HttpResponse.json({ next: null, previous: null, results: [] }),
    ),
    http.get('*/api/v1/projects/:slug/images', () => HttpResponse.json({ next: null, previous: null, results: [] })),
    http.get('*/api/v1/projects/:slug/suspects', () => HttpResponse.json({ next: null, previous: null, results: [] })),
  )
})

test('refused rows are listed with their line, their name and the reason', async () => {
  serve(run({ n_refused: 2, log_tail: ['Read 100 rows.'] }))
  const results = [
    { line: 7, name: 'broken.jpg', code: 'truncated', message: 'The file ends before the picture does.' },
    { line: null, name: 'bomb.png', code: 'bomb', message: 'The picture is larger than allowed.' },
    { line: null, name: 'README.md', code: 'not_needed', message: 'The import does not need this file.' },
  ].map((row) => ({ ...row, params: {}, is_ignored: row.code === 'not_needed' }))
  server.use(http.get('*/api/v1/runs/:id/refusals', () => HttpResponse.json({ next: null, previous: null, results })))
  renderPage(<RunPage project={curated} runId="r" />, alice)
  expect(await screen.findByRole('heading', { name: '2 rows rejected' })).toBeVisible()
  expect(await screen.findByRole('row', { name: /broken.jpg/ })).toHaveTextContent('7broken.jpgThe file ends before')
  expect(screen.getByRole('row', { name: /README.md/ })).toHaveTextContent('Not needed The import does not need')
  expect(screen.getByText('Succeeded in part')).toBeVisible()
  expect(screen.getByText('Read 100 rows.')).toHaveRole('log')
})

test('a run stands beside the other runs of its stage, with its parameters and times', async () => {
  const own = run({ parameters: { some_words: 3 }, counts: { in: 63, out: 60, dropped: { too_short: 3 } } })
  const before = run({ id: '44444444-4444-4444-8444-444444444444', counts: { in: 50, out: 49, dropped: {} } })
  const asked: string[] = []
  serve(own)
  server.use(
    http.get('*/api/v1/projects/:slug/runs', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('stage') ?? '')
      return HttpResponse.json({ next: null, previous: null, results: [own, before] })
    }),
  )
  renderPage(<RunPage project={curated} runId={own.id} />, alice)
  const others = await screen.findByRole('grid', { name: 'Other runs of this stage' })
  expect(within(others).getAllByRole('row')[1]).toHaveTextContent(/50.*49.*0/)
  expect(screen.getAllByRole('row')).toHaveLength(2)
  expect(asked).toEqual([own.stage])
  expect(screen.getByText('Some words').closest('div')).toHaveTextContent('3')
  expect(screen.getByText('Duration', { selector: 'dt' })).toBeVisible()
})

test('a run has the name of its stage, its result and the next stage as links', async () => {
  serve(run({ stage: 'import_candidates' }))
  renderPage(<RunPage project={curated} runId="r" />, alice)
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Import captions')
  expect(screen.getByText('What import_candidates does.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Results: Gallery' })).toHaveAttribute('href', '/projects/harbour/images')
  expect(screen.getByRole('link', { name: 'Next: Clean' })).toHaveAttribute(
    'href',
    '/projects/harbour/walk?start=clean',
  )
})

test('the title waits for the pipeline, and is never the name of a variable', async () => {
  let answer: () => void = () => undefined
  const waiting = new Promise<void>((resolve) => (answer = resolve))
  serve(run())
  server.use(
    http.get('*/api/v1/projects/:slug/walk', async () => {
      await waiting
      return HttpResponse.json(walk())
    }),
  )
  const { queryClient } = renderPage(<RunPage project={curated} runId="r" />, alice)
  await waitFor(() => expect(queryClient.getQueryData(['run', 'r'])).toBeDefined())
  expect(screen.queryByRole('heading', { level: 1 })).not.toBeInTheDocument()
  answer()
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Clean')
})

test('a head annotator sees the result, and no next stage to start', async () => {
  serve(run({ stage: 'import_candidates' }))
  renderPage(<RunPage project={{ ...curated, role: 'head_annotator' }} runId="r" />, alice)
  expect(await screen.findByRole('link', { name: 'Results: Gallery' })).toBeVisible()
  expect(screen.queryByRole('link', { name: /^Next/ })).not.toBeInTheDocument()
})

test('a failed run says why and is tried again as a new run', async () => {
  serve(run({ status: 'failed', error: { code: 'disk_full', message: 'The disk is full. Make room first.' } }))
  let retried = 0
  server.use(
    http.post('*/api/v1/runs/:id/retry', () => {
      retried += 1
      return HttpResponse.json(run({ id: '33333333-3333-4333-8333-333333333333', status: 'queued' }), { status: 201 })
    }),
  )
  const { user } = renderPage(<RunPage project={curated} runId="r" />, alice)
  expect(await screen.findByRole('alert')).toHaveTextContent('The disk is full. Make room first.')
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(retried).toBe(1))
})

test('a run that was retried already says so, and the button is there again', async () => {
  serve(run({ status: 'failed', error: { code: 'broken', message: 'It broke.' } }))
  const message = 'This run was retried already: run 7 went on from here, and is failed.'
  server.use(
    http.post('*/api/v1/runs/:id/retry', () =>
      HttpResponse.json({ code: 'already_retried', message, details: null }, { status: 409 }),
    ),
  )
  const { user } = renderPage(<RunPage project={curated} runId="r" />, alice)
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(toastStore.snapshot().map((toast) => toast.text)).toEqual([message]))
  expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled()
})

test('a running run is cancelled only after asking', async () => {
  serve(run({ status: 'running', finished_at: null }))
  let cancelled = 0
  server.use(
    http.post('*/api/v1/runs/:id/cancel', () => {
      cancelled += 1
      return HttpResponse.json(run({ status: 'running', finished_at: null, cancel_requested: true }))
    }),
  )
  const { user } = renderPage(<RunPage project={curated} runId="r" />, alice)
  await user.click(await screen.findByRole('button', { name: 'Cancel the run' }))
  expect(cancelled).toBe(0)
  await user.click(await screen.findByRole('button', { name: 'Cancel the run' }))
  await waitFor(() => expect(cancelled).toBe(1))
})

test('each figure says what it counts, a zero says nothing, and of a folder the page shows the name', async () => {
  const counts = { in: 24, out: 384, could_widen: 24, noise: 0, suspects: 7, dropped: {} }
  serve(run({ stage: 'retrieve', counts, parameters: { source: '/srv/data/harbour' } }))
  renderPage(<RunPage project={curated} runId="r" />, alice)
  expect((await screen.findByText('images searched for')).parentElement).toHaveTextContent('24')
  expect(screen.getByText('new captions').parentElement).toHaveTextContent('384')
  expect(screen.getByText('images with more to find')).toHaveTextContent('Search for more images to get more captions.')
  expect(screen.getByText('possible copies of your own images')).toBeVisible()
  expect(screen.queryByText(/outside every cluster/)).not.toBeInTheDocument()
  expect(screen.getByText('harbour')).toBeVisible()
})

test('a cleaning shows what it removed with the reason, and what it repaired', async () => {
  const counts = { in: 20, out: 15, repaired_hashtags: 2, dropped: { too_short: 5 } }
  serve(run({ stage: 'clean', counts }))
  const picture = { id: 4, title: 'Pier', thumbnail: image(4).thumbnail }
  const example = (rule: string) =>
    rule === 'too_short'
      ? { candidate: dropped(1, 'too_short', '1 word', { raw_text: 'Sea' }), image: picture, seen: 'Sea', repaired: [] }
      : {
          candidate: candidate(2, { raw_text: 'The old pier #sea', text: 'The old pier' }),
          image: picture,
          seen: 'The old pier',
          repaired: ['hashtags'],
        }
  server.use(
    http.get('*/api/v1/projects/:slug/funnel/:rule', ({ params }) =>
      HttpResponse.json({ next: null, previous: null, results: [example(String(params.rule))] }),
    ),
  )
  renderPage(<RunPage project={curated} runId="r" />, alice)
  const removed = (await screen.findByRole('heading', { name: 'Removed, and why' })).parentElement
  expect(removed).toHaveTextContent('Sea')
  expect(removed).toHaveTextContent('too short')
  const repaired = screen.getByRole('heading', { name: 'Repaired' }).parentElement
  expect(repaired).toHaveTextContent('captions without their hashtags')
  expect(repaired?.querySelector('del')).toHaveTextContent('#sea')
  expect(screen.getAllByRole('link', { name: 'All captions of Pier' })[0]).toHaveAttribute(
    'href',
    '/projects/harbour/images/4/captions',
  )
})

const thumbnail = { small: { url: '/pier.webp' } }
const pier = { id: 9, key: 'pier', thumbnail }
const pageOf = (...results: unknown[]) => HttpResponse.json({ next: null, previous: null, results })

test.each([
  {
    stage: 'make_controls',
    path: '*/controls',
    row: { id: 4, text: 'A dog in the snow.', accepted: ['bad'] },
    about: 'Correct answer: bad',
  },
  {
    stage: 'select',
    path: '*/selection/images',
    row: { n_good: 7, captions: [{ candidate: 4, text: 'A dog in the snow.' }] },
    about: 'Selected from 7 good captions',
  },
  {
    stage: 'consensus',
    path: '*/images/:id/votes',
    row: { candidate: 4, text: 'A dog in the snow.', label: 'good', n_good: 3, n_bad: 1, n_unsure: 0 },
    about: 'Good: 3 good, 1 bad, 0 unsure',
  },
  {
    stage: 'suggest_edits',
    path: '*/images/:id/candidates',
    row: { id: 4, text: 'A dog in the snow.', suggestions: [{ before: 'dog', options: ['cat', 'fox'] }] },
    about: '“dog” can become: cat, fox',
  },
  {
    stage: 'generic',
    path: '*/images/:id/candidates',
    row: { id: 4, text: 'A dog in the snow.', generic: { n_matched: 3 } },
    about: 'Fits 3 other images',
  },
])('a run of $stage shows some of its captions with their images', async ({ stage, path, row, about }) => {
  serve(run({ stage, counts: { in: 63, out: 60, dropped: {} } }))
  const results = [{ ...row, image: pier }]
  server.use(
    http.get('*/api/v1/projects/:slug/images', () => pageOf(pier)),
    http.get(path, () => HttpResponse.json({ next: null, previous: null, results })),
  )
  renderPage(<RunPage project={curated} runId="r" />, alice)
  expect(await screen.findByText('A dog in the snow.')).toBeVisible()
  expect(screen.getByText(about)).toBeVisible()
  expect(screen.getByRole('link', { name: /pier/ })).toHaveAttribute('href', '/projects/harbour/images/9/captions')
})

test('a run that built tasks shows the first captions of two of them, as annotators see them', async () => {
  serve(run({ stage: 'build_hits', counts: { in: 63, out: 60, dropped: {} } }))
  const hit = (id: number) => ({
    id,
    query: null,
    image: { alt: '', thumbnail },
    items: [{ position: 1, text: `Caption of task ${String(id)}.`, image: null }],
  })
  server.use(
    http.get('*/preview', ({ request }) => {
      const after = Number(new URL(request.url).searchParams.get('after'))
      return HttpResponse.json({ hit: hit(after === 0 ? 5 : 6) })
    }),
  )
  renderPage(<RunPage project={curated} runId="r" />, alice)
  expect(await screen.findByText('Caption of task 5.')).toBeVisible()
  expect(screen.getByText('Task 1, caption 1 of 1')).toBeVisible()
  expect(screen.getByText('Caption of task 6.')).toBeVisible()
})

test('a run of a release shows captions of the newest release with their answers', async () => {
  serve(run({ stage: 'release', counts: { in: 63, out: 60, dropped: {} } }))
  server.use(
    http.get('*/api/v1/projects/:slug/releases', () => pageOf({ id: 'newest' })),
    http.get('*/releases/newest/entries', () =>
      pageOf({ image: pier, captions: [{ key: 'a', text: 'A dog in the snow.', n_good: 4, n_bad: 0, n_unsure: 1 }] }),
    ),
  )
  renderPage(<RunPage project={curated} runId="r" />, alice)
  expect(await screen.findByText('A dog in the snow.')).toBeVisible()
  expect(screen.getByText('4 good, 0 bad, 1 unsure')).toBeVisible()
})

test('a search for captions shows which images a corpus may contain too', async () => {
  serve(run({ stage: 'retrieve', counts: { in: 63, out: 60, suspects: 1, dropped: {} } }))
  const pair = { image: 9, image_key: 'pier', image_title: 'A pier', corpus: 'cards', key: 'c7', cosine: 0.9912 }
  server.use(http.get('*/suspects', () => pageOf({ id: 1, thumbnail, ...pair })))
  renderPage(<RunPage project={curated} runId="r" />, alice)
  expect(await screen.findByText('A pier')).toBeVisible()
  expect(screen.getByText('Close to c7 in cards, cosine 0.991')).toBeVisible()
})

test('a run that imported queries shows some of them', async () => {
  serve(run({ stage: 'import_queries', counts: { in: 63, out: 60, dropped: {} } }))
  server.use(http.get('*/queries', () => pageOf({ id: 1, text: 'a lonely house', n_images: 8 })))
  renderPage(<RunPage project={curated} runId="r" />, alice)
  expect(await screen.findByText('a lonely house')).toBeVisible()
  expect(screen.getByText('8 images')).toBeVisible()
})

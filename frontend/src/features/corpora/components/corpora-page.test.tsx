import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Corpus, CorpusShard } from '@/lib/api/served'
import { alice, curated } from '@/testing/catalogue-data'
import { corpus, embedding, shard } from '@/testing/corpora-data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { CorporaPage } from './corpora-page'

const serve = (...corpora: Corpus[]) =>
  server.use(http.get('*/api/v1/projects/:slug/corpora', () => HttpResponse.json(corpora)))

/** Serves shards; gives what was asked of them. */
function serveShards(...shards: CorpusShard[]): URLSearchParams[] {
  const asked: URLSearchParams[] = []
  server.use(
    http.get('*/api/v1/corpora/5/shards', ({ request }) => {
      asked.push(new URL(request.url).searchParams)
      return HttpResponse.json({ next: null, previous: null, results: shards })
    }),
  )
  return asked
}

const open = (role: 'curator' | 'head_annotator' = 'curator') =>
  renderPage(<CorporaPage project={{ ...curated, role }} />, alice)

const path = '*/api/v1/projects/:slug'

beforeEach(() => {
  server.use(
    http.get(`${path}/funnel`, () =>
      HttpResponse.json({ sources: [{ source: 'corpus', n_candidates: 384, n_kept: 372 }] }),
    ),
    http.get(`${path}/suspects/counts`, () => HttpResponse.json({ open: 7, kept_out: 0, allowed: 0 })),
    http.get(`${path}/pools`, () => HttpResponse.json({ next: null, previous: null, results: [] })),
  )
})

const section = async (name: string) => within(await screen.findByRole('region', { name }))

test('without a corpus the page says what one is and how to register it', async () => {
  serve()
  open()
  expect(await screen.findByRole('heading', { name: 'No corpus yet' })).toBeVisible()
  expect(screen.getByText('python manage.py register_corpus --project harbour FOLDER')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Copy the command' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Register a corpus' })).toHaveAttribute('aria-keyshortcuts', 'r')
})

test('who may not register is told who can', async () => {
  serve()
  open('head_annotator')
  expect(await screen.findByText('A curator of the project can register a corpus.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Register a corpus' })).not.toBeInTheDocument()
})

test('an embedded corpus says what it is, by which model, and what was left out and why', async () => {
  serve(corpus('cc3m', { embeddings: [embedding({ n_skipped: 10, dropped: { empty: 3, no_caption: 7 } })] }))
  open()
  const shown = await section('cc3m')
  for (const fact of ['WebDataset tars', '2,000', 'various', 'Prepared', 'postcards-vision']) {
    expect(shown.getByText(fact)).toBeVisible()
  }
  expect(screen.getByTitle('/data/cc3m')).toHaveTextContent(/^cc3m$/)
  expect(shown.getByText('1,990 images have a vector, 10 left out: 7 no caption, 3 empty.')).toBeVisible()
  expect(shown.getByText('2 of 2 shards done.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Find captions' })).toBeVisible()
  expect(shown.getByRole('link', { name: 'Prepare again cc3m' })).toHaveAttribute(
    'href',
    '/projects/harbour/walk?start=embed_corpus&corpus=cc3m',
  )
})

test('a corpus that no model has been through asks to be embedded, and nothing is retrieved from it', async () => {
  serve(corpus('cc3m', { n_pairs: null, licence: '', embeddings: [] }))
  open()
  const shown = await section('cc3m')
  expect(shown.getByText('Known after all shards are read')).toBeVisible()
  expect(shown.getByText('Not given')).toBeVisible()
  expect(shown.getByText(/No model has prepared this corpus yet/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Find captions' })).not.toBeInTheDocument()
})

test('while a run goes on the shards are counted again and again', async () => {
  let done = 0
  const live = () => embedding({ status: 'running', finished_at: null, done, working: 1, pending: 1 - done })
  server.use(
    http.get('*/api/v1/projects/:slug/corpora', () => {
      const now = corpus('cc3m', { embeddings: [live()] })
      done = 1
      return HttpResponse.json([now])
    }),
  )
  open()
  const shown = await section('cc3m')
  const bar = shown.getByRole('progressbar', { name: 'Shards prepared by postcards-vision' })
  expect(bar).toHaveAttribute('aria-valuetext', '0 of 2 shards done, 1 running, 1 waiting')
  expect(shown.getByText('Preparing')).toBeVisible()
  expect(shown.queryByRole('link', { name: /^Prepare/ })).not.toBeInTheDocument()
  await waitFor(() => expect(bar).toHaveAttribute('aria-valuenow', '1'), { timeout: 5000 })
})

test('each refused shard says why, and of each model the newest run is shown', async () => {
  const why = 'The shard ends in the middle of a picture. Copy it again.'
  const asked = serveShards(shard(1, { state: 'refused', n_done: 0, error: { code: 'torn', message: why } }))
  const failed = embedding({ model: 'dinov2', status: 'failed', done: 1, refused: 1, error: '1 of 2 were refused.' })
  serve(corpus('cc3m', { embeddings: [failed, embedding()] }))
  open()
  const shown = await section('cc3m')
  const refused = within(shown.getByRole('region', { name: 'cc3m prepared by dinov2' }))
  expect(refused.getByText('Shards rejected')).toBeVisible()
  expect(await refused.findByText(why)).toBeVisible()
  expect(asked[0]?.get('state')).toBe('refused')
  expect(asked[0]?.get('run')).toBe(failed.run)
  expect(shown.getByRole('region', { name: 'cc3m prepared by postcards-vision' })).toHaveTextContent('Prepared')
})

test('shard by shard is read when somebody wants to know', async () => {
  const asked = serveShards(shard(0), shard(1, { n_done: 990, n_skipped: 10, dropped: { too_long: 10 } }))
  serve(corpus('cc3m'))
  const { user } = open()
  const shown = await section('cc3m')
  expect(asked).toHaveLength(0)
  await user.click(shown.getByText('All shards'))
  const table = await shown.findByRole('grid', { name: 'Shards' })
  expect(within(table).getAllByRole('row')).toHaveLength(3)
  expect(within(table).getByText('10 too long')).toBeVisible()
})

test('what somebody else starts shows up on an idle page within half a minute', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  serve(corpus('cc3m', { embeddings: [] }))
  open()
  expect((await section('cc3m')).getByText(/No model has prepared this corpus yet/)).toBeVisible()
  serve(corpus('cc3m', { embeddings: [embedding({ status: 'running', finished_at: null })] }))
  await vi.advanceTimersByTimeAsync(30_000)
  vi.useRealTimers()
  expect(await (await section('cc3m')).findByText('Preparing')).toBeVisible()
})

test('of shards on many pages none is asked for again by the clock, and all are when one more is refused', async () => {
  const asked: string[] = []
  let live = embedding({ status: 'running', finished_at: null, done: 1, working: 1 })
  server.use(
    http.get('*/api/v1/projects/:slug/corpora', () => HttpResponse.json([corpus('cc3m', { embeddings: [live] })])),
    http.get('*/api/v1/corpora/5/shards', ({ request }) => {
      const page = new URL(request.url).searchParams.get('cursor') ?? '0'
      asked.push(page)
      const next = page === '0' ? 'http://localhost/?cursor=1' : null
      return HttpResponse.json({ next, previous: null, results: [shard(Number(page))] })
    }),
  )
  const { user, queryClient } = open()
  const shown = await section('cc3m')
  await user.click(shown.getByText('All shards'))
  await user.click(await shown.findByRole('button', { name: 'Show more shards' }))
  expect(await shown.findByText('00001.tar')).toBeVisible()
  asked.length = 0
  await new Promise((resolve) => setTimeout(resolve, 2000))
  expect(asked).toEqual([])
  live = { ...live, status: 'failed', working: 0, refused: 1 }
  await queryClient.invalidateQueries({ queryKey: ['project', 'harbour', 'corpora'] })
  await waitFor(() => expect(asked.filter((page) => page === '1')).toHaveLength(1))
  expect(shown.getByText('00001.tar')).toBeVisible()
})

const primary = () =>
  [...screen.getAllByRole('button'), ...screen.getAllByRole('link')].filter((one) => one.classList.contains('primary'))

test('one thing is the next to do, however many corpora wait', async () => {
  serve(...['a', 'b'].map((name, id) => corpus(name, { id, embeddings: [] })))
  const { unmount } = open()
  await section('a')
  expect(primary().map((one) => one.getAttribute('aria-label'))).toEqual(['Prepare a'])
  unmount()
  serve(corpus('a', { id: 1, embeddings: [] }), corpus('b', { id: 2 }))
  open()
  await section('a')
  expect(primary().map((one) => one.textContent)).toEqual(['Find captionsT'])
})

test('a folder is registered, and a refusal stands in the dialog with what to do', async () => {
  serve()
  const message = 'There is no corpus.json in this folder. Run `manage.py register_corpus` on the server.'
  server.use(http.post('*/api/v1/projects/:slug/corpora', () => refusal(400, 'no_manifest', message)))
  const { user } = open()
  await screen.findByRole('heading', { name: 'No corpus yet' })
  await user.keyboard('r')
  const dialog = within(await screen.findByRole('dialog', { name: 'Register a corpus' }))
  await user.type(dialog.getByLabelText('Folder on the server'), '/data/cc3m')
  await user.click(dialog.getByRole('button', { name: 'Register' }))
  expect(await dialog.findByRole('alert')).toHaveTextContent(message)
  let sent: unknown
  server.use(
    http.post('*/api/v1/projects/:slug/corpora', async ({ request }) => {
      sent = await request.json()
      serve(corpus('cc3m', { embeddings: [] }))
      return HttpResponse.json(corpus('cc3m'), { status: 201 })
    }),
  )
  await user.type(dialog.getByLabelText('Name'), 'cc3m')
  await user.click(dialog.getByRole('button', { name: 'Register' }))
  await section('cc3m')
  expect(sent).toEqual({ folder: '/data/cc3m', name: 'cc3m', licence: '' })
})

test('when the corpora cannot be read the page says so', async () => {
  server.use(
    http.get('*/api/v1/projects/:slug/corpora', () => refusal(403, 'forbidden', 'Your role does not allow it.')),
  )
  open()
  expect(await screen.findByRole('heading', { name: 'The corpora could not be loaded' })).toBeVisible()
})

test('the page says what came of the corpora, and shows it for one image', async () => {
  const small = { url: '/t.webp', width: 4, height: 3 }
  serve(corpus('cc3m', { embeddings: [embedding()] }))
  server.use(
    http.get(`${path}/pools`, () => HttpResponse.json({ next: null, previous: null, results: [{ id: 1, image: 2 }] })),
    http.get(`${path}/images/2`, () =>
      HttpResponse.json({ id: 2, key: 'quay', title: 'Quay', thumbnail: { small, large: small } }),
    ),
    http.get(`${path}/images/2/candidates`, () =>
      HttpResponse.json({ next: null, previous: null, results: [{ id: 9, text: 'A slow goodbye', similarity: 0.94 }] }),
    ),
  )
  open()
  expect(await screen.findByText('384')).toBeVisible()
  expect(screen.getByText('96.9%')).toBeVisible()
  expect(await screen.findByText('A slow goodbye')).toBeVisible()
  expect(screen.getByRole('img', { name: 'Image of the corpus' })).toHaveAttribute(
    'src',
    '/api/v1/projects/harbour/candidates/9/neighbour',
  )
})

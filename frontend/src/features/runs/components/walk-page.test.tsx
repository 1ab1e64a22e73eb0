import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Walk } from '@/lib/api/served'
import { alice, curated, run, walk, layout, parameter, sources } from '@/testing/catalogue-data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { WalkPage } from './walk-page'

const serve = (state: Walk) => server.use(http.get('*/api/v1/projects/:slug/walk', () => HttpResponse.json(state)))

beforeEach(() => {
  server.use(
    http.get('*/api/v1/projects/:slug/runs', () => HttpResponse.json({ next: null, previous: null, results: [] })),
  )
})

/** The details of a stage, which its row on the band opens. */
const station = async (user: User, name: string) => {
  await user.click(await screen.findByRole('button', { name: new RegExp(`^${name} ?, `) }))
  return within(screen.getByRole('region', { name }))
}
type User = ReturnType<typeof renderPage>['user']

test('an import that rejected rows is done in part, in another colour, and says how many', async () => {
  serve(walk({ import_candidates: { state: 'done', last_run: run({ n_refused: 2 }) } }))
  const { user } = renderPage(<WalkPage project={curated} />, alice)
  const captions = await station(user, 'Import captions')
  expect(captions.getByText('done in part')).toBeInTheDocument()
  expect(captions.getByText('2 rows were rejected.')).toBeVisible()
  expect(screen.getByRole('button', { name: /^Import captions/ }).className).toContain('partly')
})

test('counts flow on, drops branch off with their reasons, and one stage is next', async () => {
  serve(walk({ import_candidates: { last_run: run({ n_refused: 2 }) } }))
  const { user } = renderPage(<WalkPage project={curated} />, alice)
  const captions = await station(user, 'Import captions')
  expect(captions.getByText('1,200').parentElement).toHaveTextContent('1,200 captions')
  const band = within(screen.getByRole('list', { name: 'Phases of the pipeline' }))
  expect(band.getByRole('list', { name: 'Removed: Captions' })).toHaveTextContent('−9 too short−3 duplicate')
  expect(band.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['Images', 'Captions', 'Judging'])
  expect(captions.getByRole('list', { name: 'Removed in this stage' })).toHaveTextContent('9too short3duplicate')
  expect(captions.getByRole('link', { name: '2 rejected rows' })).toBeVisible()
  expect(screen.getByRole('button', { name: /Start: Clean/ })).toHaveAttribute('aria-keyshortcuts', 'n')
  expect((await station(user, 'Build HITs')).getByText('Clean the captions first.')).toBeVisible()
})

test('a stage asks for its parameters and starts with them', async () => {
  serve(walk())
  let sent: unknown
  server.use(
    http.post('*/api/v1/projects/:slug/runs', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json(run({ status: 'queued' }), { status: 201 })
    }),
  )
  const { user } = renderPage(<WalkPage project={curated} />, alice)
  await screen.findByRole('heading', { name: 'Clean' })
  await user.keyboard('n')
  const field = await screen.findByRole('textbox', { name: 'Shortest caption (words)' })
  await user.clear(field)
  await user.type(field, '5')
  await user.click(screen.getByRole('button', { name: 'Start Clean' }))
  await waitFor(() => expect(sent).toEqual({ stage: 'clean', parameters: { min_words: 5 }, seed: 0 }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

test('a refusal to start is told in the dialog, which stays', async () => {
  serve(walk())
  server.use(
    http.post('*/api/v1/projects/:slug/runs', () => refusal(409, 'stage_running', 'This stage is already running.')),
  )
  const { user } = renderPage(<WalkPage project={curated} />, alice)
  await user.click(await screen.findByRole('button', { name: /Start: Clean/ }))
  await user.click(await screen.findByRole('button', { name: 'Start Clean' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('This stage is already running.')
})

const blocked = { state: 'empty', startable: false, why_not: 'Import captions first.' } as const

test('a stage that is asked for says why it cannot start now, and is not asked for again', async () => {
  serve(walk({ clean: blocked }))
  const onAnswered = vi.fn()
  const asked = { stage: 'clean', values: { min_words: 7 } }
  const { user } = renderPage(<WalkPage project={curated} asked={asked} onAnswered={onAnswered} />, alice)
  const dialog = within(await screen.findByRole('dialog', { name: 'Clean' }))
  expect(onAnswered).toHaveBeenCalled()
  expect(dialog.getByText('Import captions first.')).toBeVisible()
  expect(dialog.getByRole('textbox', { name: 'Shortest caption (words)' })).toHaveValue('7')
  expect(dialog.getByRole('button', { name: 'Start Clean' })).toBeDisabled()
  await user.click(dialog.getByRole('button', { name: 'Not now' }))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test('what is typed stays where the stage turns out to be running already', async () => {
  serve(walk())
  server.use(
    http.post('*/api/v1/projects/:slug/runs', () => {
      serve(walk({ clean: { state: 'running', startable: false, last_run: run({ status: 'running' }) } }))
      return refusal(409, 'stage_running', 'This stage is already running.')
    }),
  )
  const { user } = renderPage(
    <WalkPage project={curated} asked={{ stage: 'clean', values: { min_words: 7 } }} />,
    alice,
  )
  await user.click(await screen.findByRole('button', { name: 'Start Clean' }))
  expect(await screen.findByRole('progressbar', { name: 'Clean', hidden: true })).toBeInTheDocument()
  expect(screen.getByRole('alert')).toHaveTextContent('This stage is already running.')
  expect(screen.getByRole('button', { name: 'Start Clean' })).toBeDisabled()
  expect(screen.getByRole('textbox', { name: 'Shortest caption (words)' })).toHaveValue('7')
})

test('from the walk one gets to the corpora, and to the suspects once there are some', async () => {
  const lent = (suspects: number) =>
    walk({
      import_candidates: { name: 'embed_corpus', label: 'Embed corpus' },
      clean: {
        name: 'retrieve',
        label: 'Retrieve',
        state: 'done',
        last_run: run({ started_at: '2026-01-05T11:00:00Z', counts: { suspects } }),
      },
    })
  serve(lent(0))
  const { unmount, user } = renderPage(<WalkPage project={curated} />, alice)
  expect((await station(user, 'Embed corpus')).getByRole('link', { name: 'Open the corpora' })).toBeVisible()
  expect((await station(user, 'Retrieve')).queryByRole('link', { name: /possible cop/ })).not.toBeInTheDocument()
  unmount()
  serve(lent(3))
  const again = renderPage(<WalkPage project={curated} />, alice)
  expect(
    (await station(again.user, 'Retrieve')).getByRole('link', { name: 'Review 3 possible copies' }),
  ).toHaveAttribute('href', '/projects/harbour/leakage')
})

test('a running stage shows how far it is, and nothing else is offered as next', async () => {
  const running = run({ status: 'running', done: 300, total: 1200, finished_at: null })
  serve(walk({ clean: { state: 'running', startable: false, last_run: running } }))
  renderPage(<WalkPage project={curated} />, alice)
  const clean = within(await screen.findByRole('region', { name: 'Clean' }))
  expect(clean.getByRole('progressbar', { name: 'Clean' })).toHaveAttribute('aria-valuenow', '300')
  expect(clean.getByText(/300 of 1,200/)).toBeVisible()
  expect(screen.queryByRole('button', { name: /^Start:/ })).not.toBeInTheDocument()
})

test('a failed stage says why in words and is the next to try', async () => {
  const failed = run({
    status: 'failed',
    error: { code: 'disk_full', message: 'The disk is full. Make room, then try again.' },
  })
  serve(walk({ clean: { state: 'failed', last_run: failed } }))
  renderPage(<WalkPage project={curated} />, alice)
  const clean = within(await screen.findByRole('region', { name: 'Clean' }))
  expect(clean.getByText(/The disk is full/)).toBeVisible()
  expect(screen.getByRole('button', { name: /Try again: Clean/ })).toBeVisible()
})

test('a head annotator sees the walk and starts nothing', async () => {
  serve(walk())
  renderPage(<WalkPage project={{ ...curated, role: 'head_annotator' }} />)
  await screen.findByRole('heading', { name: 'Clean' })
  expect(screen.queryByRole('button', { name: /Start/ })).not.toBeInTheDocument()
})

test('files are uploaded and imported by the id of the upload', async () => {
  serve({ ...walk({ import_images: { state: 'ready', last_run: null } }), counters: {} })
  let nFiles = 0
  let started: unknown
  server.use(
    http.post('*/api/v1/projects/:slug/uploads', async ({ request }) => {
      const form = await request.formData()
      nFiles = form.getAll('files').length
      return HttpResponse.json({ id: 'u-1', files: [], detected_layout: 'files', created_at: '' }, { status: 201 })
    }),
    http.post('*/api/v1/projects/:slug/runs', async ({ request }) => {
      started = await request.json()
      return HttpResponse.json(run(), { status: 201 })
    }),
  )
  const { user } = renderPage(<WalkPage project={curated} />, alice)
  await user.click(await screen.findByRole('button', { name: /Start: Import images/ }))
  expect(await screen.findByRole('button', { name: 'Import' })).toBeDisabled()
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('There is no place to choose files.')
  await user.upload(input, [new File(['one'], 'one.jpg'), new File(['two'], 'two.jpg')])
  expect(await screen.findByText(/2 files, 6 B/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Upload and import' }))
  await waitFor(() => expect(started).toMatchObject({ stage: 'import_images', parameters: { upload: 'u-1' } }))
  expect(nFiles).toBe(2)
})

/** The body of the run that the dialog starts. */
function catchRun(): () => unknown {
  let sent: unknown
  server.use(
    http.post('*/api/v1/projects/:slug/uploads', () =>
      HttpResponse.json({ id: 'u-1', files: [], detected_layout: 'files', created_at: '' }, { status: 201 }),
    ),
    http.post('*/api/v1/projects/:slug/runs', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json(run(), { status: 201 })
    }),
  )
  return () => sent
}

test.each([
  ['import_queries', sources, { upload: 'u-1' }, /Columns: query, kind/],
  ['import_candidates', [...sources, layout], { upload: 'u-1', layout: 'auto' }, /file with captions/],
])('%s is sent what it takes and nothing else, and says which file it wants', async (name, takes, wanted, hint) => {
  serve(walk({ import_candidates: { name, label: 'Import them', state: 'ready', last_run: null, parameters: takes } }))
  const sent = catchRun()
  const { user } = renderPage(<WalkPage project={curated} asked={{ stage: name, values: {} }} />, alice)
  expect(await screen.findByText(hint)).toBeVisible()
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('There is no place to choose files.')
  await user.upload(input, [new File(['query,kind,image'], 'queries.csv')])
  await user.click(screen.getByRole('button', { name: 'Upload and import' }))
  await waitFor(() => expect(sent()).toMatchObject({ stage: name }))
  expect(sent()).toHaveProperty('parameters', wanted)
})

test('the names of the columns are asked for where a table is imported, and are sent', async () => {
  const columns = parameter('columns', { label: 'Columns', advanced: true })
  const parameters = [...sources, layout, columns]
  serve(walk({ import_candidates: { state: 'ready', last_run: null, parameters } }))
  const sent = catchRun()
  const asked = { stage: 'import_candidates', values: {} }
  const { user } = renderPage(<WalkPage project={curated} asked={asked} />, alice)
  await screen.findByRole('button', { name: 'Import' })
  expect(screen.queryByRole('textbox', { name: 'Columns' })).not.toBeInTheDocument()
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('There is no place to choose files.')
  await user.upload(input, [new File(['one.jpg,A boat.'], 'captions.csv')])
  await user.type(await screen.findByRole('textbox', { name: 'Columns' }), 'image,caption')
  await user.click(screen.getByRole('button', { name: 'Upload and import' }))
  await waitFor(() => expect(sent()).toMatchObject({ parameters: { columns: 'image,caption' } }))
})

const sampled = {
  name: 'sample',
  label: 'Pick a sample',
  state: 'ready',
  last_run: null,
  parameters: [
    parameter('k', { kind: 'int', default: 8, minimum: 1, maximum: 1_000_000, label: 'Images to pick', out_of: 16 }),
    parameter('min_dist', {
      kind: 'int',
      default: 10,
      scale: 100,
      maximum: 100,
      label: 'Smallest distance',
      advanced: true,
    }),
    parameter('most', {
      kind: 'int',
      default: 10,
      scale: 10,
      maximum: 1000,
      label: 'Other images',
      unit: '%',
      advanced: true,
    }),
  ],
} as const

test('the dialog asks for plain numbers, folds what most people leave alone, and sends whole ones', async () => {
  serve(walk({ clean: { ...sampled, parameters: [...sampled.parameters] } }))
  const sent = catchRun()
  const { user } = renderPage(<WalkPage project={curated} asked={{ stage: 'sample', values: {} }} />, alice)
  expect(await screen.findByRole('textbox', { name: 'Images to pick (of 16)' })).toHaveValue('8')
  expect(screen.queryByRole('textbox', { name: 'Smallest distance' })).not.toBeInTheDocument()
  await user.click(screen.getByText('Advanced'))
  const distance = await screen.findByRole('textbox', { name: 'Smallest distance' })
  const share = screen.getByRole('textbox', { name: 'Other images (%)' })
  expect([distance, share].map((field) => (field as HTMLInputElement).value)).toEqual(['0.10', '1'])
  await user.clear(distance)
  await user.type(distance, '0.29')
  await user.clear(share)
  await user.type(share, '2.5')
  await user.tab()
  await user.click(screen.getByRole('button', { name: 'Start Pick a sample' }))
  await waitFor(() => expect(sent()).toHaveProperty('parameters', { k: 8, min_dist: 29, most: 25 }))
})

test('a number outside its bounds is brought back to the nearest that fits, and no number to the default', async () => {
  serve(walk({ clean: { ...sampled, parameters: [...sampled.parameters] } }))
  const { user } = renderPage(<WalkPage project={curated} asked={{ stage: 'sample', values: {} }} />, alice)
  await user.click(await screen.findByText('Advanced'))
  const distance = await screen.findByRole('textbox', { name: 'Smallest distance' })
  await user.clear(distance)
  await user.type(distance, '7')
  await user.tab()
  expect(distance).toHaveValue('1.00')
  await user.clear(distance)
  await user.tab()
  expect(distance).toHaveValue('0.10')
})

test('a curator is led to the people while tasks are open', async () => {
  const judge = { name: 'judge', label: 'Annotate', by_people: true, startable: false, last_run: null } as const
  const now = walk({
    clean: { ...judge, state: 'waiting' },
    build_hits: { name: 'consensus', label: 'Consensus', state: 'ready', startable: true, why_not: '' },
  })
  serve({ ...now, counters: { ...now.counters, hits: 4, slots: 12, slots_open: 9 } })
  renderPage(<WalkPage project={curated} />, alice)
  const annotate = within(await screen.findByRole('region', { name: 'Annotate' }))
  expect(screen.getByRole('link', { name: /Invite annotators/ })).toHaveAttribute('href', '/projects/harbour/people')
  expect(annotate.getByText(/3 of 12 assignments done\. 9 assignments are open\./)).toBeVisible()
  expect(annotate.getByRole('progressbar', { name: 'Annotate' })).toHaveAttribute('aria-valuenow', '3')
  expect(screen.queryByRole('button', { name: /^Start: Consensus/ })).not.toBeInTheDocument()
})

test('where suggestions are withheld the curator reads for how many images, why, and what to do', async () => {
  const now = walk({ clean: { name: 'suggest_edits', label: 'Suggest edits', state: 'done', last_run: run() } })
  serve({ ...now, counters: { ...now.counters, without_suggestions: 16 } })
  const { user } = renderPage(<WalkPage project={curated} />, alice)
  const suggest = await station(user, 'Suggest edits')
  expect(suggest.getByText(/no suggestions for 16 images, because captions were added later/)).toBeVisible()
  expect(suggest.getByRole('button', { name: /Run again: Suggest edits/ })).toBeVisible()
})

test('a run that no worker takes says so, with what the administrator has to start', async () => {
  const waiting = run({ status: 'queued', started_at: null, finished_at: null })
  serve(walk({ clean: { state: 'running', startable: false, queue: 'gpu', lacks_worker: true, last_run: waiting } }))
  renderPage(<WalkPage project={curated} />, alice)
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('Clean waits. No worker answers on the queue gpu.')
  expect(alert).toHaveTextContent('celery -A workers.celery worker -Q gpu')
})

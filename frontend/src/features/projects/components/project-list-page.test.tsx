import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { bob, harbour } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { ProjectListPage } from './project-list-page'
// Loaded before a key asks for it: on a busy machine the first import takes longer than a test waits.
import './new-project-dialog'

test('an annotator sees how far a project is, the way to work, and nothing of its making', async () => {
  const counts = { ...harbour.counts, slots: 120, slots_open: 30 }
  server.use(
    http.get('*/api/v1/projects', () =>
      HttpResponse.json({ next: null, previous: null, results: [{ ...harbour, counts }] }),
    ),
  )
  renderPage(<ProjectListPage />)
  expect(await screen.findByRole('link', { name: 'Harbour mornings' })).toHaveAttribute('href', '/projects/harbour')
  expect(screen.getByText('90 of 120 assignments')).toHaveTextContent('75%')
  const next = screen.getByRole('link', { name: 'Annotate: Harbour mornings' })
  expect(next).toHaveAttribute('href', '/projects/harbour/annotate')
  expect(screen.queryByText('captions')).not.toBeInTheDocument()
})

test('an annotator sees the own tasks left, those of today, and one action', async () => {
  const project = { ...harbour, hits_per_annotator: 30 }
  server.use(
    http.get('*/api/v1/projects', () => HttpResponse.json({ next: null, previous: null, results: [project] })),
    http.get('*/api/v1/projects/:slug/progress', () =>
      HttpResponse.json({
        mine: { submitted_today: 2, submitted_total: 11, judgments_total: 104, ms_today: 120_000 },
        project: { hits: 48, assignments_needed: 240, assignments_submitted: 190 },
      }),
    ),
  )
  renderPage(<ProjectListPage />)
  expect((await screen.findByText('tasks left for you')).parentElement).toHaveTextContent('19')
  expect(screen.getByText('submitted today').parentElement).toHaveTextContent('2')
  expect(screen.getByText('answers in all').parentElement).toHaveTextContent('104')
  expect(screen.getByText('11 of 30 tasks done, about 19 min left')).toBeVisible()
  expect(screen.getByRole('progressbar', { name: 'Your tasks done' })).toHaveAttribute('aria-valuenow', '11')
})

test('an annotator who did all tasks reads so and is led to the past work, not to an empty page', async () => {
  server.use(
    http.get('*/api/v1/projects/:slug/progress', () =>
      HttpResponse.json({
        mine: { submitted_today: 0, submitted_total: 12, judgments_total: 120, ms_today: 0 },
        project: { hits: 12, assignments_needed: 60, assignments_submitted: 40 },
      }),
    ),
  )
  renderPage(<ProjectListPage />)
  expect(await screen.findByText(/^You did all your tasks\./)).toBeVisible()
  expect(screen.getByRole('link', { name: 'See past work: Harbour mornings' })).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Annotate: Harbour mornings' })).not.toBeInTheDocument()
})

test('a curator is not asked about own tasks', async () => {
  let asked = 0
  const project = { ...harbour, role: 'curator' }
  server.use(
    http.get('*/api/v1/projects', () => HttpResponse.json({ next: null, previous: null, results: [project] })),
    http.get('*/api/v1/projects/:slug/progress', () => {
      asked += 1
      return new HttpResponse(null, { status: 404 })
    }),
  )
  renderPage(<ProjectListPage />)
  expect(await screen.findByRole('link', { name: 'Harbour mornings' })).toBeVisible()
  expect(asked).toBe(0)
})

test.each([
  [{ images: 0, hits: 0 }, 'Import images'],
  [{ hits: 0 }, 'Make tasks'],
  [{ slots: 10, slots_open: 2 }, 'See progress'],
  [{ slots: 10 }, 'Go on with the pipeline'],
  [{ slots: 10, releases: 1 }, 'See releases'],
])('with %j a curator goes on with: %s', async (counts, words) => {
  const project = { ...harbour, role: 'curator', counts: { ...harbour.counts, ...counts } }
  server.use(http.get('*/api/v1/projects', () => HttpResponse.json({ next: null, previous: null, results: [project] })))
  renderPage(<ProjectListPage />)
  expect(await screen.findByRole('link', { name: `${words}: Harbour mornings` })).toBeVisible()
  expect(screen.getByText('900').previousSibling).toHaveTextContent('captions')
})

test('the next page of projects is added on request', async () => {
  const more = { ...harbour, slug: 'rooms', name: 'Rooms' }
  server.use(
    http.get('*/api/v1/projects', ({ request }) => {
      const isSecond = new URL(request.url).searchParams.get('cursor') === 'abc'
      return HttpResponse.json({
        next: isSecond ? null : 'http://localhost/api/v1/projects?cursor=abc',
        previous: null,
        results: [isSecond ? more : harbour],
      })
    }),
  )
  const { user } = renderPage(<ProjectListPage />)
  await user.click(await screen.findByRole('button', { name: 'Show more projects' }))
  expect(await screen.findByRole('link', { name: 'Rooms' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Harbour mornings' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Show more projects' })).not.toBeInTheDocument()
})

test('without projects the page teaches what to do', async () => {
  server.use(http.get('*/api/v1/projects', () => HttpResponse.json({ next: null, previous: null, results: [] })))
  renderPage(<ProjectListPage />)
  expect(await screen.findByText(/Ask a curator for an invitation link/)).toBeVisible()
})

test('a refusal shows its sentence and can be tried again', async () => {
  server.use(
    http.get('*/api/v1/projects', () => refusal(403, 'not_allowed', 'Your account is closed.'), { once: true }),
  )
  const { user } = renderPage(<ProjectListPage />)
  expect(await screen.findByRole('alert')).toHaveTextContent('Your account is closed.')
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: 'Harbour mornings' })).toBeVisible()
})

test('an annotator is not offered to start a project', async () => {
  renderPage(<ProjectListPage />)
  await screen.findByRole('link', { name: 'Harbour mornings' })
  expect(screen.queryByRole('button', { name: 'Start a project' })).not.toBeInTheDocument()
})

test('staff start a project with a name and a direction', async () => {
  let sent: unknown
  server.use(
    http.post('*/api/v1/projects', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ ...harbour, role: 'curator' }, { status: 201 })
    }),
  )
  const { user } = renderPage(<ProjectListPage />, { ...bob, is_staff: true })
  await screen.findByRole('link', { name: 'Harbour mornings' })
  await user.keyboard('n')
  await user.type(await screen.findByLabelText('Name'), 'Night trains')
  await user.click(screen.getByRole('button', { name: 'Start the project' }))
  await waitFor(() => expect(sent).toEqual({ name: 'Night trains', direction: 'captions_of_image' }))
})

test('a refused name is told at its field', async () => {
  server.use(
    http.post('*/api/v1/projects', () => refusal(400, 'invalid', 'Look again.', { name: ['There is one already.'] })),
  )
  const { user } = renderPage(<ProjectListPage />, { ...bob, is_staff: true })
  await user.click(await screen.findByRole('button', { name: 'Start a project' }))
  await user.type(await screen.findByLabelText('Name'), 'Rooms{Enter}')
  expect(await screen.findByText('There is one already.')).toBeVisible()
})

test('under the only project of a person stand what waits and the own answers', async () => {
  renderPage(<ProjectListPage />)
  expect(await screen.findByRole('heading', { name: 'Waiting for you' })).toBeVisible()
  expect(screen.getByRole('link', { name: /Unread feedback/ })).toHaveTextContent('0')
  expect(screen.getByRole('heading', { name: 'Your answers of the last two weeks' })).toBeVisible()
})

import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { bob, harbour } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { server } from '@/testing/server'
import { openSite } from './open-site'

const nobody = () =>
  server.use(http.get('*/api/v1/session', () => HttpResponse.json({ user: null, sign_up_open: false })))

test('a stranger is asked to sign in and comes back to where they wanted to go', async () => {
  nobody()
  server.use(http.post('*/api/v1/session', () => HttpResponse.json({ user: bob, sign_up_open: false })))
  const { user, router } = openSite('/projects/harbour/annotate')
  await user.type(await screen.findByLabelText('User name'), 'bob')
  await user.type(screen.getByLabelText('Password'), 'secret{Enter}')
  expect(await screen.findByText('The sea keeps its own counsel.')).toBeVisible()
  expect(router.state.location.pathname).toBe('/projects/harbour/annotate')
})

test.each([
  { projects: [harbour], page: '/projects/harbour/annotate' },
  { projects: [harbour, { ...harbour, slug: 'meadow', name: 'Meadow' }], page: '/' },
  { projects: [], page: '/' },
])('an annotator of $projects.length projects begins at $page', async ({ projects, page }) => {
  nobody()
  server.use(
    http.post('*/api/v1/session', () => HttpResponse.json({ user: bob, sign_up_open: false })),
    http.get('*/api/v1/projects', () => HttpResponse.json({ next: null, previous: null, results: projects })),
  )
  const { user, router } = openSite('/')
  await user.type(await screen.findByLabelText('User name'), 'bob')
  await user.type(screen.getByLabelText('Password'), 'secret{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe(page))
})

test('a project opens at the desk of the person’s role', async () => {
  const { router } = openSite('/projects/harbour')
  await screen.findByText('The sea keeps its own counsel.')
  expect(router.state.location.pathname).toBe('/projects/harbour/annotate')
})

test('somebody else’s project is not there', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  server.use(
    http.get('*/api/v1/projects/:slug', () => refusal(404, 'not_found', 'There is no such project among yours.')),
  )
  openSite('/projects/secret/annotate')
  expect(await screen.findByRole('alert')).toHaveTextContent('There is no such project among yours.')
})

test('a page for another role says so under a heading of its own', async () => {
  openSite('/projects/harbour/quality')
  const title = { level: 1, name: 'This page is not for your role' }
  expect(await screen.findByRole('heading', title, { timeout: 4000 })).toBeVisible()
})

test.each([
  ['annotator', 'quality', 'Judge captions', 'annotate'],
  ['head_annotator', 'settings', 'Open the review', 'review'],
])('a page that is not for an %s leads to their work', async (role, page, name, work) => {
  server.use(http.get('*/api/v1/projects/:slug', () => HttpResponse.json({ ...harbour, role })))
  openSite(`/projects/harbour/${page}`)
  expect(await screen.findByRole('link', { name }, { timeout: 4000 })).toHaveAttribute(
    'href',
    `/projects/harbour/${work}`,
  )
})

test('an unknown address leads home', async () => {
  openSite('/nowhere')
  expect(await screen.findByRole('link', { name: 'Go to your projects' })).toHaveAttribute('href', '/')
})

test('the help sheet lists the keys of this page from the registry', async () => {
  const { user } = openSite('/projects/harbour/annotate')
  await screen.findByText('The sea keeps its own counsel.')
  await user.keyboard('?')
  const sheet = await screen.findByRole('dialog', { name: 'Shortcuts' })
  const line = within(sheet).getByText('Judge the caption as good').parentElement
  expect(line).toHaveTextContent('G1')
  const parts = within(sheet).getAllByRole('heading', { level: 3 })
  expect(parts.map((part) => part.textContent).slice(0, 4)).toEqual(['Answer', 'Add details', 'Move', 'Look at the image'])
  expect(within(sheet).getByText('Find a command').parentElement).toHaveTextContent('Ctrl K')
})

test('the palette finds a verb by its name and performs it', async () => {
  const { user } = openSite('/projects/harbour/annotate')
  await screen.findByText('The sea keeps its own counsel.')
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('searchbox', { name: 'Command' }), 'capt bad')
  await waitFor(() => expect(screen.getAllByRole('menuitem')).toHaveLength(1))
  await user.keyboard('{ArrowDown}{Enter}')
  expect(await screen.findByRole('button', { name: 'Bad: The sea keeps its own counsel.' })).toBeInTheDocument()
})

test('the palette goes to any page that the person has business on', async () => {
  const { user, router } = openSite('/projects/harbour/annotate')
  server.use(
    http.get('*/projects/:slug/releases', () => HttpResponse.json({ next: null, previous: null, results: [] })),
  )
  await screen.findByText('The sea keeps its own counsel.')
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('searchbox', { name: 'Command' }), 'go to')
  await waitFor(() =>
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toContain('Go to Releases'),
  )
  expect(screen.queryByRole('menuitem', { name: 'Go to Corpora' })).not.toBeInTheDocument()
  await user.click(screen.getByRole('menuitem', { name: 'Go to Releases' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/projects/harbour/releases'))
})

test('the theme is changed, kept in the browser and saved with the profile', async () => {
  let saved: unknown
  server.use(
    http.patch('*/api/v1/me', async ({ request }) => {
      saved = await request.json()
      return HttpResponse.json({ ...bob, preferences: { ...bob.preferences, theme: 'light' } })
    }),
  )
  const { user } = openSite('/')
  await user.click(await screen.findByRole('button', { name: 'Theme: system. Change to: light' }))
  expect(document.documentElement.dataset.theme).toBe('light')
  await waitFor(() => expect(saved).toEqual({ preferences: { ...bob.preferences, theme: 'light' } }))
  expect(localStorage.getItem('connote.theme')).toBe('light')
})

test('signing out ends at the door', async () => {
  server.use(http.delete('*/api/v1/session', () => new HttpResponse(null, { status: 204 })))
  const { user } = openSite('/')
  await user.click(await screen.findByRole('button', { name: 'Bob: account' }))
  nobody()
  await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }))
  expect(await screen.findByRole('button', { name: 'Sign in' })).toBeVisible()
})

test('who runs a project finds their own inbox behind their name, where it is not among the pages', async () => {
  const noReleases = { next: null, previous: null, results: [] }
  server.use(
    http.get('*/api/v1/projects/:slug', () => HttpResponse.json({ ...harbour, role: 'curator' })),
    http.get('*/api/v1/projects/:slug/releases', () => HttpResponse.json(noReleases)),
    http.get('*/api/v1/projects/:slug/inbox', () => HttpResponse.json(noReleases)),
  )
  const { user, router } = openSite('/projects/harbour/releases')
  await user.click(await screen.findByRole('button', { name: 'Bob: account' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Inbox' }))
  // The page itself: a file that is still loaded at the end of all tests here fails the tests of another file.
  expect(await screen.findByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible()
  expect(router.state.location.pathname).toBe('/projects/harbour/inbox')
})

test('where the judging page has no room for links, a menu holds the pages of the project', async () => {
  const noReleases = { next: null, previous: null, results: [] }
  server.use(http.get('*/api/v1/projects/:slug/releases', () => HttpResponse.json(noReleases)))
  const { user, router } = openSite('/projects/harbour/annotate')
  await user.click(await screen.findByRole('button', { name: 'Annotate' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Releases' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Releases' })).toBeVisible()
  expect(router.state.location.pathname).toBe('/projects/harbour/releases')
})

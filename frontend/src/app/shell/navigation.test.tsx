import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import type { Project } from '@/lib/api/contract'
import { harbour } from '@/testing/data'
import { server } from '@/testing/server'
import { openSite } from '../open-site'

/** The site as this role sees it, on a page that needs no more than an empty list; two cases and a reply wait. */
function openAs(role: Project['role'], path = '/projects/harbour/releases') {
  server.use(
    http.get('*/api/v1/projects/:slug', () => HttpResponse.json({ ...harbour, role })),
    http.get('*/api/v1/projects/:slug/releases', () =>
      HttpResponse.json({ next: null, previous: null, results: [] }),
    ),
    http.get('*/api/v1/projects/:slug/review/counts', () => HttpResponse.json({ open: 2 })),
    http.get('*/api/v1/projects/:slug/feedback/counts', () => HttpResponse.json({ n_waiting: 1 })),
  )
  return openSite(path)
}

const links = (box: HTMLElement) =>
  within(box)
    .getAllByRole('link')
    .map((link) => link.textContent)

test('a curator finds five groups, the pages of the open one, and what waits in the others', async () => {
  const { user } = openAs('curator')
  const nav = await screen.findByRole('navigation', { name: 'Project' })
  await waitFor(() => expect(within(nav).getByRole('link', { name: /^Judging/ })).toHaveTextContent('3 waiting'))
  expect(links(nav).filter((words) => words !== 'Judging33 waiting')).toEqual([
    ...['Overview', 'Data'],
    ...['Releases', 'Benchmarks', 'Selection', 'Difficulty', 'Models', 'Diversity', 'Surveys', 'Exports'],
    'Settings',
  ])
  expect(within(nav).getByRole('link', { name: 'Releases' })).toHaveAttribute('aria-current', 'page')
  const fold = within(nav).getByRole('button', { name: 'Show the pages of Judging' })
  await user.click(fold)
  expect(fold).toHaveAttribute('aria-expanded', 'true')
  expect(within(nav).getByRole('link', { name: 'Review 2 open cases' })).toBeVisible()
  await user.click(fold)
  expect(within(nav).queryByRole('link', { name: 'Review 2 open cases' })).not.toBeInTheDocument()
})

test('an annotator finds each of the few pages without a group', async () => {
  openAs('annotator')
  const nav = await screen.findByRole('navigation', { name: 'Project' })
  expect(links(nav)).toEqual(['Annotate', 'Past work', 'Inbox', 'Releases'])
})

test.each([
  { role: 'head_annotator', page: '/projects/harbour/review' },
  { role: 'annotator', page: '/projects/harbour/annotate' },
] as const)('the project of a $role opens at $page', async ({ role, page }) => {
  const { router } = openAs(role, '/projects/harbour')
  await waitFor(() => expect(router.state.location.pathname).toBe(page))
})

test('a key leaves only the signs, the pages of the group move over the page, and the browser remembers it', async () => {
  const { user } = openAs('curator')
  await screen.findByRole('navigation', { name: 'Project' })
  expect(screen.queryByRole('navigation', { name: 'Pages: Release' })).not.toBeInTheDocument()
  await user.keyboard('{Control>}b{/Control}')
  const group = await screen.findByRole('navigation', { name: 'Pages: Release' })
  expect(links(group)).toContain('Selection')
  expect(localStorage.getItem('connote.rail')).toContain('"isSmall":true')
})

test('on a phone the groups lie at the foot and the pages of the open one over the page', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => null, removeEventListener: () => null }))
  openAs('curator')
  const foot = await screen.findByRole('navigation', { name: 'Project' })
  await waitFor(() =>
    expect(links(foot)).toEqual(['Overview', 'Data', 'Judging33 waiting', 'Release', 'Settings']),
  )
  expect(links(screen.getByRole('navigation', { name: 'Pages: Release' }))).toContain('Exports')
  expect(screen.queryByRole('button', { name: 'Show the pages of Judging' })).not.toBeInTheDocument()
})

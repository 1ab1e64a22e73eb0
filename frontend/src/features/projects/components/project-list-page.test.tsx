import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { harbour } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { ProjectListPage } from './project-list-page'

test('a project shows its name, the role and its figures', async () => {
  renderPage(<ProjectListPage />)
  expect(await screen.findByRole('link', { name: 'Harbour mornings' })).toHaveAttribute('href', '/projects/harbour')
  expect(screen.getByText('Annotator')).toBeVisible()
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

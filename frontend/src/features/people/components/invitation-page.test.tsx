import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import type { InvitationDoor } from '@/lib/api/served'
import { bob } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { InvitationPage } from './invitation-page'

const door: InvitationDoor = {
  project_name: 'Harbour mornings',
  role: 'annotator',
  expires_at: new Date(Date.now() + 86_400_000 * 3).toISOString(),
  signed_in_as: null,
}
const accepted = { project_slug: 'harbour', session: { user: bob, sign_up_open: false } }
const serve = (changes: Partial<InvitationDoor> = {}) =>
  server.use(http.get('*/api/v1/invitations/:token', () => HttpResponse.json({ ...door, ...changes })))

test('somebody new makes an account and is inside', async () => {
  serve()
  let sent: unknown
  server.use(
    http.post('*/api/v1/invitations/:token/accept', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json(accepted)
    }),
  )
  const onJoined = vi.fn()
  const { user } = renderPage(<InvitationPage token="t" onJoined={onJoined} />, null)
  expect(await screen.findByRole('heading', { name: 'Harbour mornings' })).toBeVisible()
  await user.type(screen.getByLabelText('User name'), 'bob')
  await user.type(screen.getByLabelText('Password'), 'a long sentence')
  await user.click(screen.getByRole('button', { name: 'Create an account and join' }))
  await waitFor(() => expect(onJoined).toHaveBeenCalledWith('harbour'))
  expect(sent).toEqual({ username: 'bob', email: '', password: 'a long sentence' })
})

test('a taken user name is told at its field and the link stays open', async () => {
  serve()
  const details = { username: ['This name is taken.'] }
  server.use(
    http.post('*/api/v1/invitations/:token/accept', () => refusal(400, 'invalid', 'Correct the fields.', details)),
  )
  const { user } = renderPage(<InvitationPage token="t" onJoined={vi.fn()} />, null)
  await user.type(await screen.findByLabelText('User name'), 'bob')
  await user.type(screen.getByLabelText('Password'), 'a long sentence')
  await user.click(screen.getByRole('button', { name: 'Create an account and join' }))
  expect(await screen.findByText('This name is taken.')).toBeVisible()
})

test('who is signed in joins with one button', async () => {
  serve({ signed_in_as: 'bob' })
  server.use(http.post('*/api/v1/invitations/:token/accept', () => HttpResponse.json(accepted)))
  const onJoined = vi.fn()
  const { user } = renderPage(<InvitationPage token="t" onJoined={onJoined} />)
  await user.click(await screen.findByRole('button', { name: 'Join as bob' }))
  await waitFor(() => expect(onJoined).toHaveBeenCalledWith('harbour'))
})

test('a spent link says why it does not work', async () => {
  server.use(
    http.get('*/api/v1/invitations/:token', () =>
      refusal(410, 'invitation_spent', 'This invitation was withdrawn. Ask the curator for a new one.'),
    ),
  )
  renderPage(<InvitationPage token="t" onJoined={vi.fn()} />, null)
  expect(await screen.findByRole('alert')).toHaveTextContent('This invitation was withdrawn.')
  expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
})

import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { bob } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { SignUpPage } from './sign-up-page'

async function fillIn() {
  const onSignedIn = vi.fn()
  const view = renderPage(<SignUpPage onSignedIn={onSignedIn} />, null)
  await view.user.type(await screen.findByLabelText('User name'), 'bob')
  await view.user.type(screen.getByLabelText('Email (optional)'), 'bob@example.org')
  await view.user.type(screen.getByLabelText('Password'), 'a long sentence{Enter}')
  return onSignedIn
}

test('a new account is signed in at once', async () => {
  let sent: unknown
  server.use(
    http.post('*/api/v1/sign-up', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ user: bob, sign_up_open: true }, { status: 201 })
    }),
  )
  const onSignedIn = await fillIn()
  await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
  expect(sent).toEqual({ username: 'bob', email: 'bob@example.org', password: 'a long sentence' })
})

test('what is wrong stands at its field', async () => {
  server.use(
    http.post('*/api/v1/sign-up', () =>
      refusal(400, 'invalid', 'Some fields need another look.', { username: ['This name is taken.'] }),
    ),
  )
  const onSignedIn = await fillIn()
  expect(await screen.findByText('This name is taken.')).toBeVisible()
  expect(screen.getByLabelText('User name')).toBeInvalid()
  expect(onSignedIn).not.toHaveBeenCalled()
})

import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { sessionQuery } from '@/lib/session/get-session'
import { bob } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { SignInPage } from './sign-in-page'

async function fillIn(password: string) {
  const onSignedIn = vi.fn()
  const view = renderPage(<SignInPage onSignedIn={onSignedIn} />, null)
  await view.user.type(await screen.findByLabelText('User name'), 'bob')
  await view.user.type(screen.getByLabelText('Password'), `${password}{Enter}`)
  return { ...view, onSignedIn }
}

test('the right password signs in and remembers who it is', async () => {
  server.use(http.post('*/api/v1/session', () => HttpResponse.json({ user: bob, sign_up_open: false })))
  const { onSignedIn, queryClient } = await fillIn('a long sentence')
  await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
  expect(queryClient.getQueryData(sessionQuery.queryKey)?.user?.username).toBe('bob')
})

test.each([
  [400, 'wrong_credentials', 'The user name and password do not belong together.'],
  [429, 'too_many_requests', 'Too many attempts. Try again in 5 minutes.'],
])('%d shows the sentence of the server', async (status, code, sentence) => {
  server.use(http.post('*/api/v1/session', () => refusal(status, code, sentence)))
  const { onSignedIn } = await fillIn('wrong')
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence)
  expect(onSignedIn).not.toHaveBeenCalled()
})

test.each([
  [true, 'Create one.'],
  [false, 'Ask the curator of your project for an invitation link.'],
])('while sign-up is open: %s, a newcomer reads "%s"', async (isOpen, words) => {
  renderPage(<SignInPage onSignedIn={vi.fn()} />, null, { sign_up_open: isOpen })
  expect(await screen.findByText(words, { exact: false })).toBeVisible()
})

test('a site in demo mode opens its accounts by one click', async () => {
  let asked: unknown
  server.use(
    http.post('*/api/v1/session/demo', async ({ request }) => {
      asked = await request.json()
      return HttpResponse.json({ user: bob, sign_up_open: false })
    }),
  )
  const onSignedIn = vi.fn()
  const { user, queryClient } = renderPage(<SignInPage onSignedIn={onSignedIn} />, null, {
    demo_roles: ['curator', 'head_annotator', 'annotator'],
    mails_passwords: false,
  })
  await user.click(await screen.findByRole('button', { name: 'Look around as head annotator' }))
  await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
  expect(asked).toEqual({ role: 'head_annotator' })
  expect(queryClient.getQueryData(sessionQuery.queryKey)?.user?.username).toBe('bob')
})

test('any other site offers no account', async () => {
  renderPage(<SignInPage onSignedIn={vi.fn()} />, null)
  expect(await screen.findByLabelText('User name')).toBeVisible()
  expect(screen.queryByRole('button', { name: /Look around/ })).not.toBeInTheDocument()
})

import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { readResetLink } from '../api/reset-password'
import { ForgotPasswordPage } from './forgot-password-page'
import { NewPasswordPage } from './new-password-page'

const link = { uid: 'MQ', token: 'd1x-abc' }

test('a link is read out of what stands behind the #', () => {
  expect(readResetLink('#MQ.d1x-abc')).toEqual(link)
  expect(readResetLink('')).toEqual({ uid: '', token: '' })
})

test('a person with a link chooses a password, which the server may refuse', async () => {
  const sent: unknown[] = []
  server.use(
    http.post('*/api/v1/password-reset/check', () => HttpResponse.json({ username: 'bob' })),
    http.post('*/api/v1/password-reset/confirm', async ({ request }) => {
      sent.push(await request.json())
      return sent.length === 1
        ? refusal(400, 'invalid', 'password: Too short.', { password: ['Too short.'] })
        : new HttpResponse(null, { status: 204 })
    }),
  )
  const { user } = renderPage(<NewPasswordPage link={link} />, null)
  expect(await screen.findByText('Choose a new password for the account bob.')).toBeVisible()
  await user.type(screen.getByLabelText('New password'), 'short')
  await user.click(screen.getByRole('button', { name: 'Set the password' }))
  expect(await screen.findByText('Too short.')).toBeVisible()
  await user.type(screen.getByLabelText('New password'), ' walk at dawn')
  await user.click(screen.getByRole('button', { name: 'Set the password' }))
  expect(await screen.findByText('Your password is set')).toBeVisible()
  expect(sent.at(-1)).toEqual({ ...link, password: 'short walk at dawn' })
})

test('a used link says so and leads to another', async () => {
  server.use(
    http.post('*/api/v1/password-reset/check', () =>
      refusal(410, 'reset_link_spent', 'This link does not work any more.'),
    ),
  )
  renderPage(<NewPasswordPage link={link} />, null)
  expect(await screen.findByText('This link does not work any more.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Ask for a new link' })).toBeVisible()
})

test('where the site sends no emails the page says who makes a link', async () => {
  renderPage(<ForgotPasswordPage />, null)
  expect(await screen.findByText(/Ask the curator of your project for a link/)).toBeVisible()
  expect(screen.queryByLabelText('Email')).not.toBeInTheDocument()
})

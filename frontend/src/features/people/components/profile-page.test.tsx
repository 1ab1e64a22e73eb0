import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import type { PageOfActions } from '@/lib/actions/action'
import { bob } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { ProfilePage, type ProfileTab } from './profile-page'

const pages: PageOfActions[] = [
  {
    page: 'Everywhere',
    actions: [{ id: 'palette.open', name: 'Find a command', label: 'Commands', keys: ['Mod+k'], scope: 'global' }],
  },
  {
    page: 'Annotate',
    actions: [
      { id: 'judge.good', name: 'Judge the caption as good', label: 'Good', keys: ['g', '1'], scope: 'annotate' },
      { id: 'judge.bad', name: 'Judge the caption as bad', label: 'Bad', keys: ['b', '2'], scope: 'annotate' },
    ],
  },
]
const token = {
  id: 9,
  name: 'Nightly import',
  prefix: 'cn_abc',
  created_at: '2026-01-05T10:00:00Z',
  last_used_at: null,
  expires_at: null,
}

beforeEach(() => {
  server.use(http.get('*/api/v1/me/tokens', () => HttpResponse.json({ next: null, previous: null, results: [token] })))
})

const open = (tab: ProfileTab, me = bob, onErased = vi.fn()) =>
  renderPage(<ProfilePage me={me} pages={pages} tab={tab} onTab={vi.fn()} onErased={onErased} />, me)

test('a new token is shown once and is gone after leaving it', async () => {
  server.use(
    http.post('*/api/v1/me/tokens', () => HttpResponse.json({ ...token, token: 'cn_abc_secret' }, { status: 201 })),
  )
  const { user, queryClient } = open('tokens')
  await user.type(await screen.findByRole('textbox', { name: 'What is the token for?' }), 'Nightly import')
  await user.click(screen.getByRole('button', { name: 'Create token' }))
  expect(await screen.findByText('cn_abc_secret')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'I have saved it' }))
  expect(screen.queryByText('cn_abc_secret')).not.toBeInTheDocument()
  expect(
    JSON.stringify(
      queryClient
        .getQueryCache()
        .getAll()
        .map(({ state }) => state.data),
    ),
  ).not.toContain('secret')
})

test('a token is revoked only after asking', async () => {
  let revoked = ''
  server.use(
    http.delete('*/api/v1/me/tokens/:id', ({ params }) => {
      revoked = String(params.id)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const { user } = open('tokens')
  await user.click(await screen.findByRole('button', { name: 'Revoke Nightly import' }))
  expect(revoked).toBe('')
  await user.click(await screen.findByRole('button', { name: 'Revoke the token' }))
  await waitFor(() => expect(revoked).toBe('9'))
})

test('a key in use is refused in words and nothing is saved; a free one is', async () => {
  let saved: unknown
  server.use(
    http.patch('*/api/v1/me', async ({ request }) => {
      saved = await request.json()
      return HttpResponse.json({
        ...bob,
        preferences: { ...bob.preferences, keys: { 'judge.good': 'x' } },
      })
    }),
  )
  const { user } = open('keys')
  await user.click(await screen.findByRole('button', { name: 'Change the key for: Judge the caption as good' }))
  await user.keyboard('b')
  expect(await screen.findByRole('alert')).toHaveTextContent('B is already used for “judge the caption as bad”.')
  expect(saved).toBeUndefined()
  await user.keyboard('x')
  await waitFor(() => expect(saved).toEqual({ preferences: { ...bob.preferences, keys: { 'judge.good': 'x' } } }))
})

/** The keys that were sent to be kept. */
function hearKeys() {
  const heard: unknown[] = []
  server.use(
    http.patch('*/api/v1/me', async ({ request }) => {
      heard.push(((await request.json()) as { preferences: { keys: unknown } }).preferences.keys)
      return HttpResponse.json(bob)
    }),
  )
  return heard
}

const change = (name: string) => screen.findByRole('button', { name: `Change the key for: ${name}` })

test('how long to work before a break is proposed is chosen', async () => {
  let saved: unknown
  server.use(
    http.patch('*/api/v1/me', async ({ request }) => {
      saved = await request.json()
      return HttpResponse.json(bob)
    }),
  )
  const { user } = open('look')
  await user.click(await screen.findByRole('button', { name: /Suggest a break/ }))
  await user.click(await screen.findByRole('option', { name: 'Never' }))
  await waitFor(() => expect(saved).toEqual({ preferences: { ...bob.preferences, break_minutes: 0 } }))
})

test('every verb stands under its page', async () => {
  open('keys')
  expect(await screen.findByRole('heading', { name: 'Everywhere' })).toBeVisible()
  expect(screen.getByRole('heading', { name: 'Annotate' })).toBeVisible()
  expect(await change('Find a command')).toBeVisible()
})

test('keys that the browser keeps are refused with a sentence and left to it', async () => {
  const heard = hearKeys()
  const { user } = open('keys')
  await user.click(await change('Judge the caption as good'))
  const kept = fireEvent.keyDown(document.body, { key: 'w', code: 'KeyW', ctrlKey: true })
  expect(kept).toBe(true)
  expect(await screen.findByRole('alert')).toHaveTextContent('The browser uses Ctrl W.')
  await user.keyboard('{F5}')
  expect(screen.getByRole('alert')).toHaveTextContent('You cannot use F5 here.')
  await user.tab()
  expect(screen.getByRole('alert')).toHaveTextContent('The browser uses Tab')
  expect(screen.queryByText('Press a key, or Esc to cancel')).not.toBeInTheDocument()
  expect(heard).toEqual([])
})

test('on a French keyboard the key of a digit is that digit, and a word being composed is no key', async () => {
  const heard = hearKeys()
  const { user } = open('keys')
  await user.click(await change('Judge the caption as good'))
  fireEvent.keyDown(document.body, { key: 'Process', code: 'KeyA' })
  fireEvent.keyDown(document.body, { key: 'é', code: 'Digit2' })
  expect(await screen.findByRole('alert')).toHaveTextContent('É is already used for “judge the caption as bad”.')
  fireEvent.keyDown(document.body, { key: 'à', code: 'Digit0' })
  await waitFor(() => expect(heard).toEqual([{ 'judge.good': 'à' }]))
})

test('one key is given back, and all of them', async () => {
  const heard = hearKeys()
  const keys = { 'judge.good': 'x', 'judge.bad': 'Shift+x' }
  const { user } = open('keys', { ...bob, preferences: { ...bob.preferences, keys } })
  await user.click(await screen.findByRole('button', { name: 'Reset the key for: Judge the caption as good' }))
  await waitFor(() => expect(heard).toEqual([{ 'judge.bad': 'Shift+x' }]))
  await user.click(screen.getByRole('button', { name: 'Reset all keys' }))
  await waitFor(() => expect(heard.at(-1)).toEqual({}))
})

test('a usual key that another verb has by now is not given back in silence', async () => {
  const heard = hearKeys()
  const keys = { 'judge.good': 'x', 'judge.bad': 'g' }
  const { user } = open('keys', { ...bob, preferences: { ...bob.preferences, keys } })
  await user.click(await screen.findByRole('button', { name: 'Reset the key for: Judge the caption as good' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('G is already used for “judge the caption as bad”.')
  expect(heard).toEqual([])
})

test('what is wrong with a new password stands at its field', async () => {
  const details = { new: ['This password is too common.'] }
  server.use(http.post('*/api/v1/me/password', () => refusal(400, 'invalid', 'Some fields are wrong.', details)))
  const { user } = open('account')
  await user.type(await screen.findByLabelText('Current password'), 'old')
  await user.type(screen.getByLabelText('New password'), 'password')
  await user.click(screen.getByRole('button', { name: 'Change the password' }))
  const field = (await screen.findByLabelText('New password')).closest('div')
  expect(await within(field ?? document.body).findByText('This password is too common.')).toBeVisible()
})

test('another language is saved, then kept by the browser for the page that is loaded anew', async () => {
  let saved: unknown
  const german = { ...bob, preferences: { ...bob.preferences, language: 'de' } }
  server.use(
    http.patch('*/api/v1/me', async ({ request }) => {
      saved = await request.json()
      return HttpResponse.json(german)
    }),
  )
  const { user } = open('look')
  await user.click(await screen.findByRole('button', { name: /Language of the site/ }))
  await user.click(screen.getByRole('option', { name: 'Deutsch' }))
  await waitFor(() => expect(localStorage.getItem('connote.language')).toBe('de'))
  expect(saved).toEqual({ preferences: { ...bob.preferences, language: 'de' } })
})

test('an account is erased with the password, and only then', async () => {
  const sent: unknown[] = []
  server.use(
    http.post('*/api/v1/me/erase', async ({ request }) => {
      sent.push(await request.json())
      return sent.length === 1
        ? refusal(400, 'wrong_password', 'Wrong.', { password: ['This is not your current password.'] })
        : new HttpResponse(null, { status: 204 })
    }),
  )
  const onErased = vi.fn()
  const { user } = open('account', bob, onErased)
  await user.click(await screen.findByRole('button', { name: 'Erase your account' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  const button = dialog.getByRole('button', { name: 'Erase for good' })
  expect(button).toBeDisabled()
  await user.type(dialog.getByLabelText('Current password'), 'old')
  await user.click(button)
  expect(await dialog.findByText('This is not your current password.')).toBeVisible()
  expect(onErased).not.toHaveBeenCalled()
  await user.click(button)
  await waitFor(() => expect(onErased).toHaveBeenCalledOnce())
  expect(sent).toEqual([{ password: 'old' }, { password: 'old' }])
})

test('a shortcut is found by words of its name, by its key, or with all of its page', async () => {
  const { user } = open('keys')
  const field = await screen.findByRole('searchbox', { name: 'Find a shortcut' })
  const shown = () => screen.queryAllByRole('button', { name: /^Change the key/ }).length
  for (const [typed, n] of [
    ['good judge', 1],
    ['Ctrl K', 1],
    ['annotate', 2],
    ['no such', 0],
  ] as const) {
    await user.clear(field)
    await user.type(field, typed)
    expect([typed, shown()]).toEqual([typed, n])
  }
  expect(screen.getByText('No shortcut has this name or key.')).toBeVisible()
})

test('each tab opens another part', async () => {
  const onTab = vi.fn()
  const { user } = renderPage(<ProfilePage me={bob} pages={pages} tab="tokens" onTab={onTab} onErased={vi.fn()} />)
  await user.click(await screen.findByRole('tab', { name: 'Shortcuts' }))
  expect(onTab).toHaveBeenCalledWith('keys')
})

import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import { AnnotatePage } from '@/features/annotate/components/annotate-page'
import { endWaiting } from '@/lib/session/ended-session'
import { shelf } from '@/lib/store/shelf'
import { accepted, answerSubmitsWith, type Sent } from '@/testing/annotating'
import { bob, harbour, progress } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { SignInAgain } from './sign-in-again'

afterEach(() => act(() => endWaiting(true)))

/** The session of the server: nobody's, until somebody signs in. */
function endSession(whoComes = bob): Sent[] {
  let user: typeof bob | null = null
  server.use(
    http.get('*/api/v1/session', () => HttpResponse.json({ user, sign_up_open: false })),
    http.post('*/api/v1/session', () => {
      user = whoComes
      return HttpResponse.json({ user, sign_up_open: false })
    }),
  )
  return answerSubmitsWith(() => (user === bob ? accepted() : refusal(401, 'not_authenticated', 'Sign in first.')))
}

async function workOn() {
  const startAfresh = vi.fn()
  const view = renderPage(
    <>
      <AnnotatePage project={harbour} />
      <SignInAgain startAfresh={startAfresh} />
    </>,
  )
  await screen.findByText('The sea keeps its own counsel.')
  await waitFor(() => expect(view.queryClient.isFetching()).toBe(0))
  return { ...view, startAfresh }
}

async function signIn(user: UserEvent, dialog: HTMLElement, password: string) {
  await user.type(within(dialog).getByLabelText('Password'), password)
  await user.click(within(dialog).getByRole('button', { name: 'Sign in' }))
}

const dialogOf = () => screen.findByRole('dialog', { name: 'Sign in to continue' })

test('a session that ended is begun again in place, and the submission goes on under its key', async () => {
  const { user } = await workOn()
  const sent = endSession()
  await user.keyboard('gbu{Enter}')
  const dialog = await dialogOf()
  expect(within(dialog).getByLabelText('User name')).toHaveValue('bob')
  await signIn(user, dialog, 'a long sentence')
  expect(await screen.findByText('Rain, later.')).toBeVisible()
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  expect(sent).toHaveLength(2)
  expect(sent[1]?.key).toBe(sent[0]?.key)
})

test('what the page fetches beside the work asks nobody to sign in before they submit', async () => {
  const { user, queryClient } = await workOn()
  const sent = endSession()
  let n = 0
  const untilSignedIn = () => (n++ === 0 ? refusal(401, 'not_authenticated', 'Sign in first.') : HttpResponse.json(progress))
  const kept: string[] = []
  server.use(
    http.get('*/api/v1/projects/:slug/progress', untilSignedIn),
    http.put('*/api/v1/assignments/:id/draft', () => {
      kept.push('draft')
      return refusal(401, 'not_authenticated', 'Sign in first.')
    }),
  )
  void queryClient.invalidateQueries({ queryKey: ['progress'] })
  const note = await screen.findByRole('note')
  expect(note).toHaveTextContent('Your session has ended. You can continue. Your answers are saved on this device.')
  await user.keyboard('gb')
  await waitFor(() => expect(kept).toEqual(['draft']), { timeout: 5000 })
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  await user.keyboard('u{Enter}')
  await signIn(user, await dialogOf(), 'a long sentence')
  expect(await screen.findByText('Rain, later.')).toBeVisible()
  expect(sent).toHaveLength(2)
  await waitFor(() => expect(n).toBe(3))
  expect(screen.queryByText(/Your session has ended/)).not.toBeInTheDocument()
}, 15_000)

test('if somebody else signs in the page starts afresh, and the first one’s work stays hers', async () => {
  const { user, startAfresh } = await workOn()
  const sent = endSession({ ...bob, id: 3, username: 'dora' })
  await user.keyboard('gbu{Enter}')
  const dialog = await dialogOf()
  await user.clear(within(dialog).getByLabelText('User name'))
  await user.type(within(dialog).getByLabelText('User name'), 'dora')
  await signIn(user, dialog, 'another')
  await waitFor(() => expect(startAfresh).toHaveBeenCalledOnce())
  expect(sent).toHaveLength(1)
  expect(await shelf('outbox').all()).toMatchObject([{ owner: 'bob' }])
  expect(await shelf('drafts').all()).toMatchObject([{ owner: 'bob' }])
})

test('who does not want to sign in now keeps the work and is asked again when they say so', async () => {
  const { user } = await workOn()
  endSession()
  await user.keyboard('gbu{Enter}')
  await user.click(within(await dialogOf()).getByRole('button', { name: 'Not now' }))
  const alert = await screen.findByRole('note')
  expect(alert).toHaveTextContent('You are signed out. Your 3 answers are saved on this device')
  await user.click(within(alert).getByRole('button', { name: 'Sign in' }))
  await signIn(user, await dialogOf(), 'a long sentence')
  expect(await screen.findByText('Rain, later.')).toBeVisible()
})

test('who signed in again in another tab is not asked here', async () => {
  const { user } = await workOn()
  const sent = endSession()
  await fetch('http://localhost/api/v1/session', { method: 'POST' })
  server.use(
    http.post('*/api/v1/assignments/:id/submit', () => refusal(401, 'not_authenticated', 'Late.'), { once: true }),
  )
  await user.keyboard('gbu{Enter}')
  expect(await screen.findByText('Rain, later.')).toBeVisible()
  expect(sent).toHaveLength(1)
})

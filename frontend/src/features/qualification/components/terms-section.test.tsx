import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { Qualification } from '@/lib/api/served'
import { alice } from '@/testing/catalogue-data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { TermsSection } from './terms-section'

const terms: Qualification = {
  version: 2,
  asks_guidelines: false,
  n_questions: 5,
  pass_mark: 0.8,
  max_attempts: 3,
  retry_after_minutes: 0,
  valid_days: null,
  passes_since: null,
  n_quiz_controls: 3,
  repeats_from: null,
  n_quiz_wanted: 15,
  n_missed: 0,
}

let sent: unknown

beforeEach(() => {
  server.use(
    http.get('*/qualification', () => HttpResponse.json(terms)),
    http.put('*/qualification', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ ...terms, version: 3, n_quiz_controls: 10 })
    }),
  )
})

test('the terms are saved on the version that was read, the mark in percent', async () => {
  const { user } = renderPage(<TermsSection slug="harbour" />, alice)
  expect(await screen.findByText(/but there are only 3\. .* Add 2 more/)).toBeVisible()
  await user.click(screen.getByRole('checkbox', { name: /Annotators must read the guidelines/ }))
  const mark = screen.getByRole('textbox', { name: 'Correct answers needed, in percent' })
  await user.clear(mark)
  await user.type(mark, '75{Tab}')
  await user.click(screen.getByRole('button', { name: 'Save settings' }))
  await waitFor(() =>
    expect(sent).toMatchObject({ version: 2, asks_guidelines: true, pass_mark: 0.75, passes_anew: false }),
  )
  await waitFor(() => expect(screen.queryByText(/but there are only 3/)).not.toBeInTheDocument())
})

test('a single quiz item is told as one', async () => {
  server.use(http.get('*/qualification', () => HttpResponse.json({ ...terms, n_quiz_controls: 1 })))
  renderPage(<TermsSection slug="harbour" />, alice)
  expect(await screen.findByText('0 means no quiz. There is 1 quiz question to choose from.')).toBeVisible()
})

test('a quiz without questions is told from one with too few', async () => {
  server.use(http.get('*/qualification', () => HttpResponse.json({ ...terms, n_quiz_controls: 0 })))
  renderPage(<TermsSection slug="harbour" />, alice)
  expect(await screen.findByText(/has no questions, so nobody can start it/)).toBeVisible()
})

test('a retry that gives the answers away, and questions that most people miss, are each told', async () => {
  const found = { ...terms, n_quiz_controls: 12, repeats_from: 3, n_missed: 1 }
  server.use(http.get('*/qualification', () => HttpResponse.json(found)))
  renderPage(<TermsSection slug="harbour" />, alice)
  expect(
    await screen.findByText(
      /^Questions repeat from attempt 3\. .* 5 questions from 12 quiz questions\. For 3 attempts .* add 3 quiz questions/,
    ),
  ).toBeVisible()
  expect(screen.getByText(/^Most people first answer 1 quiz question wrong. Check it/)).toBeVisible()
  expect(screen.queryByText(/nobody can start/)).not.toBeInTheDocument()
})

test('where somebody was faster the newer terms can be taken', async () => {
  server.use(http.put('*/qualification', () => refusal(409, 'stale', 'Somebody else changed this.')))
  const { user } = renderPage(<TermsSection slug="harbour" />, alice)
  await user.click(await screen.findByRole('checkbox', { name: /Annotators must read the guidelines/ }))
  await user.click(screen.getByRole('button', { name: 'Save settings' }))
  expect(await screen.findByText(/Somebody else changed this/)).toBeVisible()
  server.use(http.get('*/qualification', () => HttpResponse.json({ ...terms, version: 9, n_questions: 7 })))
  await user.click(screen.getByRole('button', { name: 'Load the current settings' }))
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Questions in the quiz' })).toHaveValue('7'))
})

import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { QuizAttemptRow } from '@/lib/api/served'
import { alice } from '@/testing/catalogue-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { AttemptsSection } from './attempts-section'

const attempt = (changes: Partial<QuizAttemptRow>): QuizAttemptRow => ({
  number: 1,
  n_questions: 4,
  n_right: 4,
  is_passed: true,
  pass_mark: 0.8,
  is_excused: false,
  begun_at: '2026-03-01T10:00:00Z',
  ended_at: '2026-03-01T10:05:00Z',
  username: 'bob',
  display_name: 'Bob',
  ...changes,
})

const answer = (...results: QuizAttemptRow[]) =>
  server.use(http.get('*/qualification/attempts', () => HttpResponse.json({ next: null, previous: null, results })))

test('each attempt says whose it was, how many were right and what came of it', async () => {
  answer(
    attempt({ number: 3, n_right: null, is_passed: null, ended_at: null }),
    attempt({ number: 2, n_right: null, is_passed: null }),
    attempt({ n_right: 1, is_passed: false }),
    attempt({ username: 'dora', display_name: 'Dora', n_right: 3, is_passed: false, is_excused: true }),
  )
  renderPage(<AttemptsSection slug="harbour" />, alice)
  const rows = within(await screen.findByRole('grid', { name: 'Quiz attempts' })).getAllByRole('row')
  expect(rows.slice(1).map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^Bob3–Not finished/),
    expect.stringMatching(/^Bob2–Does not count/),
    expect.stringMatching(/^Bob11 of 4Not passed/),
    expect.stringMatching(/^Dora13 of 4Does not count/),
  ])
})

test('before anybody came it says so', async () => {
  answer()
  renderPage(<AttemptsSection slug="harbour" />, alice)
  expect(await screen.findByText('Nobody has taken the quiz yet.')).toBeVisible()
})

test('on a phone, where no heading stands above them, figures bring their titles along', async () => {
  answer(attempt({}))
  renderPage(<AttemptsSection slug="harbour" />, alice)
  const cells = within((await screen.findAllByRole('row'))[1] ?? document.body).getAllByRole('gridcell')
  expect(cells.map((cell) => cell.dataset.title)).toEqual(['Attempt', 'Correct', 'Result', 'Started'])
})

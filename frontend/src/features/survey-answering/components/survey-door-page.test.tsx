import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { SurveyDoor, SurveyItem } from '@/lib/api/served'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { SurveyDoorPage } from './survey-door-page'

const thumbnail = { url: '/media/1.webp', width: 400, height: 300 }
const item = (number: number, answer: SurveyItem['answer'] = null): SurveyItem => ({
  number,
  text: `Caption ${number}`,
  image: { alt: 'A photograph to judge.', thumbnail: { small: thumbnail, large: thumbnail } },
  answer,
})
const door: SurveyDoor = {
  title: 'Hard captions',
  consent: 'Read **this** <script>alert(1)</script>',
  run_by: 'the lab',
  stage: 'consent',
  n_pairs: 3,
  items: [],
}
const answering = (...items: SurveyItem[]): SurveyDoor => ({ ...door, stage: 'answering', items })

let sent: [number, unknown][] = []
const serve = (changes: Partial<SurveyDoor> = {}) =>
  server.use(http.get('*/api/v1/s/:token', () => HttpResponse.json({ ...door, ...changes })))

beforeEach(() => {
  sent = []
  server.use(
    http.put('*/api/v1/s/:token/answers/:number', async ({ params, request }) => {
      const body = (await request.json()) as { answer: string }
      sent.push([Number(params.number), body.answer])
      return HttpResponse.json({ is_finished: sent.length === 3 })
    }),
  )
})

const render = () => renderPage(<SurveyDoorPage token="abc" />, null)

test('a participant reads the consent text as text, agrees, answers by keys and is thanked', async () => {
  serve()
  const keys = new Set<string>()
  server.use(
    http.post('*/api/v1/s/:token/agree', async ({ request }) => {
      keys.add(((await request.json()) as { start_key: string }).start_key)
      return HttpResponse.json(answering(item(1), item(2), item(3)))
    }),
  )
  const { user, container } = render()
  expect(await screen.findByRole('heading', { name: 'Hard captions' })).toBeVisible()
  expect(screen.getByText('this').tagName).toBe('STRONG')
  expect(container.querySelector('script')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'I agree, start the survey' }))
  expect(await screen.findByText('Caption 1')).toBeVisible()
  expect(keys.size).toBe(1)
  await user.keyboard('g')
  expect(await screen.findByText('2 of 3')).toBeVisible()
  await user.keyboard('b')
  await user.click(screen.getByRole('button', { name: /^Good/ }))
  expect(await screen.findByRole('heading', { name: 'Thank you' })).toBeVisible()
  await waitFor(() =>
    expect(sent).toEqual([
      [1, 'good'],
      [2, 'bad'],
      [3, 'good'],
    ]),
  )
  expect(await screen.findByText(/has all your answers/)).toBeVisible()
})

test('a reload continues at the first pair without an answer', async () => {
  serve(answering(item(1, 'good'), item(2, 'bad'), item(3)))
  render()
  expect(await screen.findByText('Caption 3')).toBeVisible()
  expect(screen.getByText('3 of 3')).toBeVisible()
})

test('back opens the last pair again, and a correction returns to the open one', async () => {
  serve(answering(item(1, 'good'), item(2, 'bad'), item(3)))
  const { user } = render()
  await screen.findByText('Caption 3')
  await user.keyboard('z')
  expect(await screen.findByText('Caption 2')).toBeVisible()
  expect(screen.getByRole('button', { name: /^Bad/ })).toHaveAttribute('aria-pressed', 'true')
  await user.keyboard('g')
  expect(await screen.findByText('Caption 3')).toBeVisible()
  await waitFor(() => expect(sent).toEqual([[2, 'good']]))
})

test('the last answer can be corrected after the thanks', async () => {
  serve(answering(item(1, 'good')))
  const { user } = render()
  await user.click(await screen.findByRole('button', { name: 'Correct the last answer' }))
  await user.keyboard('b')
  await waitFor(() => expect(sent).toEqual([[1, 'bad']]))
})

test('an answer that cannot be sent is sent again by itself', async () => {
  serve(answering(item(1), item(2)))
  let tries = 0
  server.use(
    http.put('*/api/v1/s/:token/answers/:number', () => {
      tries += 1
      return tries === 1 ? refusal(503, 'busy', 'The server is busy.') : HttpResponse.json({ is_finished: false })
    }),
  )
  const { user } = render()
  await screen.findByText('Caption 1')
  await user.keyboard('g')
  expect(await screen.findByText('1 answer is not sent yet. The page tries again by itself.')).toBeVisible()
  await waitFor(() => expect(screen.queryByText(/not sent yet/)).not.toBeInTheDocument(), { timeout: 4000 })
  expect(tries).toBe(2)
})

test('a survey that closes meanwhile says so', async () => {
  serve(answering(item(1), item(2)))
  server.use(
    http.put('*/api/v1/s/:token/answers/:number', () => refusal(410, 'survey_closed', 'This survey is closed.')),
  )
  const { user } = render()
  await screen.findByText('Caption 1')
  await user.keyboard('g')
  expect(await screen.findByText('This survey is closed.')).toBeVisible()
  expect(screen.queryByRole('button')).not.toBeInTheDocument()
})

test.each([
  [404, 'no_such_survey', 'This link leads to no survey.'],
  [410, 'survey_full', 'All places of this survey are taken.'],
])('a link that leads nowhere is one sentence (%s %s)', async (status, code, sentence) => {
  server.use(http.get('*/api/v1/s/:token', () => refusal(status, code, sentence)))
  render()
  expect(await screen.findByText(sentence)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
})

test('a person who finished is told so', async () => {
  serve({ stage: 'finished' })
  render()
  expect(await screen.findByText('You finished this survey. You can close this page.')).toBeVisible()
})

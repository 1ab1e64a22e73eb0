import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { Label } from '@/lib/api/contract'
import type { MyQualification, QuizAttempt } from '@/lib/api/served'
import { harbour } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { QualifyPage } from './qualify-page'

const thumbnail = { url: '/media/1.webp', width: 640, height: 480 }
const image = { alt: 'The photograph that the question is about.', thumbnail: { small: thumbnail, large: thumbnail } }
const texts = ['A red tractor in a field.', 'The sea keeps its own counsel.']

function mine(changes: { guidelines?: object; quiz?: object; is_qualified?: boolean } = {}): MyQualification {
  return {
    is_qualified: changes.is_qualified ?? false,
    why: null,
    guidelines: {
      is_asked: true,
      is_read: true,
      why: null,
      text: 'A caption is **good** when a person could say it.',
      examples: [],
      digest: 'd1',
      ...changes.guidelines,
    },
    quiz: {
      is_asked: true,
      is_passed: false,
      passed_at: null,
      holds_until: null,
      n_questions: 2,
      pass_mark: 0.8,
      attempts_failed: 0,
      attempts_left: 3,
      next_attempt_at: null,
      open_attempt: null,
      last: null,
      ...changes.quiz,
    },
  }
}

function attempt(answers: Label[]): QuizAttempt {
  const right: Label[] = ['good', 'bad']
  const nRight = answers.filter((label, at) => label === right[at]).length
  const isOver = answers.length === 2
  return {
    number: 1,
    n_questions: 2,
    n_right: isOver ? nRight : null,
    is_passed: isOver ? nRight === 2 : null,
    pass_mark: 0.8,
    is_excused: false,
    begun_at: '2026-03-01T10:00:00Z',
    ended_at: isOver ? '2026-03-01T10:05:00Z' : null,
    questions: texts.map((text, at) => {
      const label = answers[at]
      const accepted = right.slice(at, at + 1)
      const feedback = label
        ? { label, is_right: label === right[at], accepted, explanation: 'The tractor is green.' }
        : null
      return { position: at + 1, text, image, feedback }
    }),
  }
}

let given: Label[]

beforeEach(() => {
  given = []
  server.use(
    http.get('*/qualification/mine', () => HttpResponse.json(mine())),
    http.post('*/qualification/quiz', () => HttpResponse.json(attempt(given))),
    http.post('*/qualification/quiz/1/answers', async ({ request }) => {
      const { answers } = (await request.json()) as { answers: { label: Label }[] }
      given.push(...answers.map(({ label }) => label))
      return HttpResponse.json(attempt(given))
    }),
  )
})

const open = () => renderPage(<QualifyPage project={harbour} />)

test('the guidelines are read first, and the word is about this very text', async () => {
  let sent: unknown
  server.use(
    http.get('*/qualification/mine', () => HttpResponse.json(mine({ guidelines: { is_read: false } }))),
    http.post('*/qualification/guidelines-read', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json(mine())
    }),
  )
  const { user } = open()
  expect((await screen.findByText('good')).tagName).toBe('STRONG')
  await user.click(screen.getByRole('button', { name: 'I have read the guidelines' }))
  expect(await screen.findByRole('heading', { name: 'A short quiz' })).toBeVisible()
  expect(sent).toEqual({ guidelines_digest: 'd1' })
})

test('the examples are read with the guidelines: picture, edit, verdict and reason', async () => {
  const example = {
    thumbnail: image.thumbnail,
    text: 'Two boats wait.',
    label: 'bad',
    edited_text: 'A boat waits.',
    explanation: 'There is one boat.',
  }
  server.use(
    http.get('*/qualification/mine', () =>
      HttpResponse.json(mine({ guidelines: { is_read: false, examples: [example] } })),
    ),
  )
  open()
  expect(await screen.findByRole('img', { name: 'Image of example 1' })).toBeVisible()
  expect(screen.getByText('There is one boat.')).toBeVisible()
  expect(screen.getByText('Bad')).toBeVisible()
  expect(screen.getAllByRole('deletion').length).toBeGreaterThan(0)
})

test('guidelines that changed meanwhile are shown anew', async () => {
  const texts = ['The old text.', 'The new text.']
  server.use(
    http.get('*/qualification/mine', () =>
      HttpResponse.json(mine({ guidelines: { is_read: false, text: texts.shift() } })),
    ),
    http.post('*/qualification/guidelines-read', () => refusal(409, 'guidelines_changed', 'Read them again.')),
  )
  const { user } = open()
  await screen.findByText('The old text.')
  await user.click(screen.getByRole('button', { name: 'I have read the guidelines' }))
  expect(await screen.findByText('The new text.')).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent('Read them again.')
})

test('the quiz is taken by keyboard, each answer with its feedback, and passed', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Start the quiz' }))
  expect(await screen.findByText('A red tractor in a field.')).toBeVisible()
  await user.keyboard('+')
  expect(screen.getByLabelText('Zoom')).toHaveTextContent('125%')
  await user.keyboard('g')
  expect(await screen.findByText('Correct')).toBeVisible()
  expect(screen.getByText('The tractor is green.')).toBeVisible()
  await user.keyboard('b') // an answer is final: the key of an answered question does nothing
  expect(given).toEqual(['good'])
  await user.keyboard('{Enter}')
  expect(screen.getByText('The sea keeps its own counsel.')).toBeVisible()
  await user.keyboard('b')
  await screen.findByText('Correct')
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('heading', { name: 'You passed' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Start the first task' })).toHaveAttribute(
    'href',
    '/projects/harbour/annotate',
  )
})

test('a wrong answer says what would have been right, and a failed attempt what was needed', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Start the quiz' }))
  await user.click(await screen.findByRole('button', { name: 'Unsure' }))
  expect(await screen.findByText('The correct answer is good.')).toBeVisible()
  await user.keyboard('{Enter}b')
  await screen.findByText('Correct')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByRole('heading', { name: 'Not passed' })).toBeVisible()
  expect(screen.getByText('1 of 2 correct. You needed 2.')).toBeVisible()
  const wrong = within(screen.getByRole('list', { name: 'Wrong answers' })).getByRole('listitem')
  expect(wrong).toHaveTextContent('A red tractor in a field.')
})

test('the quiz says what is judged: captions, or how far a photograph answers a query', async () => {
  renderPage(<QualifyPage project={{ ...harbour, direction: 'images_of_query' }} />)
  expect(await screen.findByText(/^You see an image and a search query/)).toBeVisible()
  expect(screen.queryByText(/caption\. Answer/)).not.toBeInTheDocument()
})

test('an attempt that lost a question meanwhile is said not to count, and a new one begins with other questions', async () => {
  const said = 'This attempt no longer counts, because the quiz was changed. Begin it again.'
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Start the quiz' }))
  await user.keyboard('g')
  await screen.findByText('Correct')
  await user.keyboard('{Enter}')
  server.use(http.post('*/qualification/quiz/1/answers', () => refusal(409, 'attempt_void', said)))
  await user.keyboard('b')
  expect(await screen.findByText(/Continue to see your result/)).toHaveTextContent(said)
  await user.keyboard('{Enter}')
  expect(await screen.findByText(/3 attempts left/)).toBeVisible()
  const fresh = attempt([])
  const others = fresh.questions.map((question) => ({ ...question, text: `Other ${question.position}` }))
  const second = { ...fresh, number: 2, questions: others }
  server.use(http.post('*/qualification/quiz', () => HttpResponse.json(second)))
  await user.click(screen.getByRole('button', { name: 'Start the quiz' }))
  expect(await screen.findByText('Other 1')).toBeVisible()
  expect(screen.getByRole('heading', { name: 'Question 1 of 2' })).toBeVisible()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})

test('a question that was answered in another tab and then found wrong gives way to the next one, and is not counted', async () => {
  const begun = attempt([])
  const rest = { ...begun, n_questions: 1, questions: begun.questions.slice(1) }
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Start the quiz' }))
  await screen.findByText('A red tractor in a field.')
  server.use(http.post('*/qualification/quiz/1/answers', () => HttpResponse.json(rest)))
  await user.keyboard('b')
  expect(await screen.findByText('The sea keeps its own counsel.')).toBeVisible()
  expect(screen.getByRole('heading', { name: 'Question 1 of 1' })).toBeVisible()
  const done = { ...rest, ...attempt(['good', 'bad']), n_questions: 1, n_right: 1, questions: [] }
  server.use(http.post('*/qualification/quiz/1/answers', () => HttpResponse.json(done)))
  await user.keyboard('b')
  expect(await screen.findByText(/^1 of 1 correct\./)).toBeVisible()
})

test('an attempt that was begun goes on at its first open question', async () => {
  given = ['good']
  server.use(http.get('*/qualification/mine', () => HttpResponse.json(mine({ quiz: { open_attempt: 1 } }))))
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Continue' }))
  expect(await screen.findByRole('heading', { name: 'Question 2 of 2' })).toBeVisible()
})

test('by keyboard the focus goes from the question to the way on, and to the next question', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Start the quiz' }))
  expect(await screen.findByRole('heading', { name: 'Question 1 of 2' })).toHaveFocus()
  await user.tab()
  expect(screen.getByRole('button', { name: /^Good/ })).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('button', { name: /^Continue/ })).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('heading', { name: 'Question 2 of 2' })).toHaveFocus()
  expect(given).toEqual(['good'])
})

const final = 'This question has been answered already, perhaps in another tab. The first answer stands.'

test('a question that another tab has answered shows that answer, and the quiz goes on', async () => {
  server.use(http.post('*/qualification/quiz/1/answers', () => refusal(409, 'answer_final', final)))
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Start the quiz' }))
  await screen.findByText('A red tractor in a field.')
  given = ['good']
  server.use(http.get('*/qualification/mine', () => HttpResponse.json(mine({ quiz: { open_attempt: 1 } }))))
  await user.keyboard('b')
  expect(await screen.findByRole('alert')).toHaveTextContent(final)
  expect(await screen.findByText('Correct')).toBeVisible()
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('heading', { name: 'Question 2 of 2' })).toBeVisible()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})

test('a quiz that another tab has finished leads on, and begins no other attempt', async () => {
  let nBegun = 0
  server.use(
    http.post('*/qualification/quiz/1/answers', () => refusal(409, 'answer_final', final)),
    http.post('*/qualification/quiz', () => {
      nBegun += 1
      return HttpResponse.json(attempt([]))
    }),
  )
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Start the quiz' }))
  await screen.findByText('A red tractor in a field.')
  server.use(http.get('*/qualification/mine', () => HttpResponse.json(mine({ is_qualified: true }))))
  await user.keyboard('b')
  expect(await screen.findByText(/Continue to see your result/)).toBeVisible()
  await user.click(await screen.findByRole('button', { name: /^Continue/ }))
  expect(await screen.findByRole('heading', { name: 'You can start' })).toBeVisible()
  expect(nBegun).toBe(1)
})

test('who has passed in another tab is led to the work instead of beginning again', async () => {
  server.use(http.post('*/qualification/quiz', () => refusal(409, 'already_passed', 'You have passed the quiz.')))
  const { user } = open()
  const begin = await screen.findByRole('button', { name: 'Start the quiz' })
  server.use(http.get('*/qualification/mine', () => HttpResponse.json(mine({ is_qualified: true }))))
  await user.click(begin)
  expect(await screen.findByRole('heading', { name: 'You can start' })).toBeVisible()
})

test('who must wait reads until when', async () => {
  const quiz = { attempts_failed: 1, attempts_left: 2, next_attempt_at: '2026-03-01T12:00:00Z' }
  server.use(http.get('*/qualification/mine', () => HttpResponse.json(mine({ quiz }))))
  open()
  expect(await screen.findByRole('button', { name: 'Start the quiz' })).toBeDisabled()
  expect(screen.getByText(/You can try again at 1 March 2026/)).toBeVisible()
})

test('who has no attempt left reads whom to ask', async () => {
  server.use(http.get('*/qualification/mine', () => HttpResponse.json(mine({ quiz: { attempts_left: 0 } }))))
  open()
  expect(await screen.findByRole('alert')).toHaveTextContent('Ask the curator')
  expect(screen.queryByRole('button', { name: 'Start the quiz' })).not.toBeInTheDocument()
})

test('who is qualified is led to the work', async () => {
  server.use(http.get('*/qualification/mine', () => HttpResponse.json(mine({ is_qualified: true }))))
  open()
  expect(await screen.findByRole('heading', { name: 'You can start' })).toBeVisible()
})

test('a quiz that cannot be begun says why', async () => {
  server.use(http.post('*/qualification/quiz', () => refusal(409, 'no_quiz_items', 'The quiz has no questions yet.')))
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Start the quiz' }))
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('The quiz has no questions yet.'))
})

test('who failed finds the guidelines beside the way into the next attempt, and reads what was needed', async () => {
  const last = { ...attempt(['bad', 'bad']), n_right: 1, is_passed: false }
  server.use(http.get('*/qualification/mine', () => HttpResponse.json(mine({ quiz: { attempts_failed: 1, last } }))))
  const { user } = open()
  expect(
    await screen.findByText(/^Last time, 1 of 2 answers were correct\. You needed 2\. The next attempt/),
  ).toBeVisible()
  await user.click(screen.getByText('Read the guidelines again'))
  expect((await screen.findByText('good')).tagName).toBe('STRONG')
})

test('who failed by a question that was wrong itself reads that it costs nothing', async () => {
  const last = { ...attempt(['bad', 'bad']), n_right: 1, is_passed: false, is_excused: true }
  server.use(http.get('*/qualification/mine', () => HttpResponse.json(mine({ quiz: { last } }))))
  open()
  expect(await screen.findByText(/^Last time, 1 of 2 .* this attempt does not count\. The next attempt/)).toBeVisible()
})

test('whose attempts are used up is told of no next one', async () => {
  const last = { ...attempt(['bad', 'bad']), n_right: 1, is_passed: false }
  server.use(
    http.get('*/qualification/mine', () =>
      HttpResponse.json(mine({ quiz: { attempts_failed: 3, attempts_left: 0, last } })),
    ),
  )
  open()
  expect(await screen.findByText(/You have used all your attempts/)).toBeVisible()
  expect(screen.queryByText(/next attempt|After each answer/)).not.toBeInTheDocument()
})

test('who has passed and reads changed guidelines is told of no quiz', async () => {
  const changed = { guidelines: { is_read: false }, quiz: { is_passed: true } }
  server.use(http.get('*/qualification/mine', () => HttpResponse.json(mine(changed))))
  open()
  expect(await screen.findByText('Next, the first task')).toBeVisible()
  expect(screen.queryByText(/a quiz of/)).not.toBeInTheDocument()
})

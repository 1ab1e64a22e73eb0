import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { accepted, answerSubmitsWith, queue, second } from '@/testing/annotating'
import { assignment, harbour, item, photograph } from '@/testing/data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { AnnotatePage } from './annotate-page'
// Loaded before a key asks for it: on a busy machine the first import takes longer than a test waits.
import './skip-dialog'

async function openPage() {
  const view = renderPage(<AnnotatePage project={harbour} />)
  await screen.findByText('The sea keeps its own counsel.')
  return view
}

const openCaption = () => document.querySelector('[data-open]')?.textContent

test.each([
  ['paused', 'Your work in this project is paused'],
  ['excluded', 'Your work in this project has ended'],
])('who is %s reads what the rules say', async (reason, title) => {
  server.use(
    http.post('*/api/v1/projects/:slug/assignments/next', () => HttpResponse.json({ assignment: null, reason })),
    http.get('*/api/v1/projects/:slug/annotator-state', () =>
      HttpResponse.json({
        state: reason,
        reasons: [{ code: '', message: '7 of 9 hidden checks were missed.', params: {} }],
      }),
    ),
  )
  renderPage(<AnnotatePage project={harbour} />)
  expect(await screen.findByRole('heading', { name: title })).toBeVisible()
  expect(await screen.findByText('7 of 9 hidden checks were missed.')).toBeVisible()
})

test('who is paused is told who can let them go on, whoever or whatever paused them', async () => {
  server.use(
    http.post('*/api/v1/projects/:slug/assignments/next', () =>
      HttpResponse.json({ assignment: null, reason: 'paused' }),
    ),
    http.get('*/api/v1/projects/:slug/annotator-state', () => HttpResponse.json({ state: 'paused', reasons: [] })),
  )
  renderPage(<AnnotatePage project={harbour} />)
  expect(await screen.findByText(/They can end the pause/)).toBeVisible()
  expect(screen.queryByText(/head annotator, who can let you go on/)).not.toBeInTheDocument()
})

test('a person who is not qualified sees the first step at once', async () => {
  server.use(
    http.post('*/api/v1/projects/:slug/assignments/next', () =>
      HttpResponse.json({ assignment: null, reason: 'not_qualified' }),
    ),
  )
  const { router } = renderPage(<AnnotatePage project={harbour} />)
  await waitFor(() => expect(router.state.location.pathname).toBe('/projects/harbour/qualify'))
})

test('a photograph is skipped with its reason, and the next one is there', async () => {
  queue(assignment(), second)
  let skipped: unknown
  server.use(
    http.post('*/api/v1/assignments/:id/skip', async ({ request }) => {
      skipped = await request.json()
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const { user, queryClient } = await openPage()
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  await user.keyboard('s')
  const dialog = await screen.findByRole('dialog', { name: 'Skip this task' })
  expect(within(dialog).getByRole('button', { name: 'Skip' })).toBeDisabled()
  await user.keyboard('1')
  expect(within(dialog).getAllByRole('radio')[0]).toBeChecked()
  await user.click(within(dialog).getByRole('radio', { name: /^I do not want to look at this/ }))
  await user.type(within(dialog).getByRole('textbox', { name: 'More details' }), 'An accident.')
  await user.click(within(dialog).getByRole('button', { name: 'Skip' }))
  expect(await screen.findByText('Rain, later.')).toBeVisible()
  expect(skipped).toEqual({ reason: 'disturbing', comment: 'An accident.', to: 'others' })
})

test('a lens, a mark and a comment go out with the judgment', async () => {
  const sent = answerSubmitsWith(() => accepted())
  const { user } = await openPage()
  await user.keyboard('t')
  expect(screen.getByRole('button', { name: 'Too generic' })).toHaveAttribute('aria-pressed', 'true')
  await user.keyboard('c')
  const field = await screen.findByRole('textbox', { name: 'Comment for the head annotator' })
  await user.type(field, 'Whose counsel?{Enter}')
  await waitFor(() => expect(field).not.toBeInTheDocument())
  await user.keyboard('l')
  await screen.findByRole('group', { name: 'Why does it fit?' })
  await user.keyboard('f')
  await waitFor(() => expect(openCaption()).toContain('A red tractor in a field.'))
  await waitFor(() => expect(document.querySelector('[data-open]')).toHaveFocus())
  await user.keyboard('bu{Enter}')
  await screen.findByText('Rain, later.')
  expect(sent[0]?.body.judgments[0]).toMatchObject({
    label: 'good',
    lens: 'figurative',
    comment: 'Whose counsel?',
    is_generic: true,
  })
  expect(sent[0]?.body.judgments[0]?.client_at).toMatch(/^\d{4}-\d\d-\d\dT/)
})

test('a comment stays beside its caption, and a press elsewhere keeps it', async () => {
  const { user } = await openPage()
  await user.keyboard('c')
  await user.type(await screen.findByRole('textbox', { name: 'Comment for the head annotator' }), 'gbu')
  expect(openCaption()).not.toContain('A red tractor in a field.')
  await user.click(screen.getByRole('button', { name: /A red tractor in a field\./ }))
  expect(openCaption()).toContain('A red tractor in a field.')
  expect(screen.queryByRole('textbox', { name: 'Comment for the head annotator' })).not.toBeInTheDocument()
  expect(screen.getByRole('list').querySelector('button')).toHaveTextContent('Comment')
})

test('a caption is edited in its place; the change has its kind, and no key judges meanwhile', async () => {
  const sent = answerSubmitsWith(() => accepted())
  const { user } = await openPage()
  await user.keyboard('{ArrowDown}e')
  const field = await screen.findByRole('textbox', { name: 'Caption' })
  expect(field).toHaveFocus()
  await user.clear(field)
  await user.paste('A blue tractor in a big field.')
  expect(screen.getByRole('button', { name: /Kind of change: “red” → “blue”/ })).toHaveTextContent('Colour')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Caption' })).not.toBeInTheDocument())
  expect(openCaption()).toContain('Edited')
  await user.keyboard('gb{ArrowUp}{ArrowUp}{ArrowUp}g{Enter}')
  await screen.findByText('Rain, later.')
  expect(sent[0]?.body.judgments[1]?.edits).toEqual([
    { start: 2, end: 5, before: 'red', after: 'blue', kind: 'color' },
    expect.objectContaining({ before: '', after: expect.stringContaining('big') as string }),
  ])
})

test('a long caption written anew is sent in as many changes as the server takes', async () => {
  const words = (word: string) => Array.from({ length: 60 }, (_, at) => `${word}${at}`).join(' ')
  const sent = answerSubmitsWith(() => accepted())
  queue(assignment({ items: [item(1, { text: words('elk') })] }), second)
  const { user } = renderPage(<AnnotatePage project={harbour} />)
  await screen.findByText(words('elk'))
  await user.keyboard('e')
  await user.clear(await screen.findByRole('textbox', { name: 'Caption' }))
  await user.paste(words('deer'))
  await user.keyboard('{Enter}')
  await waitFor(() => expect(openCaption()).toContain('Edited'))
  await user.keyboard('g{Enter}')
  await waitFor(() => expect(sent[0]?.body.judgments[0]?.edits).toHaveLength(50))
})

test('a caption of which nothing could be seen is not kept', async () => {
  const { user } = await openPage()
  await user.keyboard('e')
  await user.clear(await screen.findByRole('textbox', { name: 'Caption' }))
  await user.paste('\u2800\u200b')
  expect(screen.getByRole('button', { name: 'Save edit' })).toBeDisabled()
  expect(screen.getByText(/A caption cannot be empty/)).toBeVisible()
})

test('an edit that is left changes nothing', async () => {
  const { user } = await openPage()
  await user.keyboard('e')
  await user.type(await screen.findByRole('textbox', { name: 'Caption' }), ' Indeed.{Escape}')
  expect(openCaption()).not.toContain('Indeed')
  await user.keyboard('g')
  expect(openCaption()).toContain('A red tractor in a field.')
})

async function writeOn(user: Awaited<ReturnType<typeof openPage>>['user'], more: string) {
  await user.keyboard('e')
  await user.type(await screen.findByRole('textbox', { name: 'Caption' }), more)
}

test('an edit in work rests the answers and waits with its caption while another is looked at', async () => {
  const { user } = await openPage()
  await writeOn(user, ' Indeed.')
  expect(screen.getByRole('button', { name: 'Good' })).toBeDisabled()
  await user.click(screen.getByRole('button', { name: 'A red tractor in a field.' }))
  expect(screen.queryByRole('textbox', { name: 'Caption' })).not.toBeInTheDocument()
  await user.keyboard('b{ArrowUp}{ArrowUp}')
  expect(screen.getByRole('textbox', { name: 'Caption' })).toHaveValue('The sea keeps its own counsel. Indeed.')
})

test('neither the guidelines nor a reload take an edit or a comment in work away', async () => {
  const { user, unmount } = await openPage()
  await user.keyboard('c')
  await user.type(await screen.findByRole('textbox', { name: /head annotator/ }), 'Whose{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await writeOn(user, ' Indeed.')
  const [guidelines = document.body] = screen.getAllByRole('button', { name: /guidelines/i })
  await user.click(guidelines)
  const beside = await screen.findByRole('complementary', { name: 'Guidelines' })
  await user.click(within(beside).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('complementary')).not.toBeInTheDocument())
  expect(screen.getByRole('textbox', { name: 'Caption' })).toHaveValue('The sea keeps its own counsel. Indeed.')
  unmount()
  renderPage(<AnnotatePage project={harbour} />)
  expect(await screen.findByRole('textbox', { name: 'Caption' })).toHaveValue('The sea keeps its own counsel. Indeed.')
  await user.keyboard('{Escape}')
  expect(document.querySelector('[data-open]')).toHaveFocus()
  await user.keyboard('c')
  expect(await screen.findByRole('textbox', { name: /head annotator/ })).toHaveValue('Whose')
})

test('a submit leads to the edit that is not kept yet', async () => {
  const sent = answerSubmitsWith(() => accepted())
  const { user } = await openPage()
  await user.keyboard('g{ArrowUp}')
  await writeOn(user, ' Indeed.')
  await user.click(screen.getByRole('button', { name: 'A red tractor in a field.' }))
  await user.keyboard('bu{Enter}')
  expect(await screen.findByRole('textbox', { name: 'Caption' })).toBeVisible()
  expect(sent).toHaveLength(0)
  await user.click(screen.getByRole('button', { name: 'Save edit' }))
  await user.keyboard('{Enter}')
  await screen.findByText('Rain, later.')
  expect(sent[0]?.body.judgments[0]?.edits).toHaveLength(1)
})

test('no key judges once a dialog is asked for', async () => {
  const { user } = await openPage()
  await user.keyboard('lg')
  expect(openCaption()).toContain('The sea keeps its own counsel.')
  await user.keyboard('{Escape}')
})

test('digits follow the order of the buttons, letters stay with their words', async () => {
  queue(assignment({ options: ['unsure', 'bad', 'good'] }))
  const { user } = await openPage()
  const keys = within(screen.getByRole('group', { name: 'Choose an answer' })).getAllByRole('button')
  const names = ['Unsure', 'Bad', 'Good']
  keys.forEach((key, place) => expect(key).toHaveAccessibleName(names[place]))
  await user.keyboard('1')
  expect(screen.getByTestId('said-polite')).toHaveTextContent('Caption 1 is unsure.')
  await user.keyboard('g')
  expect(screen.getByTestId('said-polite')).toHaveTextContent('Caption 2 is good.')
})

test('the photographs of a query are judged by the same keys, arrows and touch', async () => {
  const photographs = [1, 2, 3, 4, 5].map((position) => item(position, { image: photograph }))
  queue(assignment({ kind: 'images_of_query', image: null, query: { text: 'Harbours at rest' }, items: photographs }))
  const sent = answerSubmitsWith(() => accepted())
  const { user } = renderPage(<AnnotatePage project={harbour} />)
  expect(await screen.findByRole('heading', { name: 'Harbours at rest' })).toBeVisible()
  const ringed = () => document.querySelector('[aria-current="step"]')?.getAttribute('aria-label')
  expect(ringed()).toBe('Image 1 of 5')
  await user.keyboard('g{ArrowRight}b')
  expect(ringed()).toBe('Image 4 of 5')
  await user.click(screen.getByRole('button', { name: 'Image 2 of 5' }))
  await user.click(screen.getByRole('button', { name: 'Unsure' }))
  await user.keyboard('gg{Enter}')
  expect(await screen.findByText('Rain, later.')).toBeVisible()
  expect(sent[0]?.body.judgments.map(({ label }) => label)).toEqual(['good', 'unsure', 'bad', 'good', 'good'])
})

import { fireEvent, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { SuggestedEdit } from '@/lib/api/contract'
import { accepted, answerSubmitsWith, queue } from '@/testing/annotating'
import { assignment, harbour, item } from '@/testing/data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { AnnotatePage } from './annotate-page'

const text = 'John sees two red boats'
const john: SuggestedEdit = { kind: 'person', start: 0, end: 4, before: 'John', options: ['<person>'] }
const two: SuggestedEdit = { kind: 'number', start: 10, end: 13, before: 'two', options: [] }
const red: SuggestedEdit = { kind: 'color', start: 14, end: 17, before: 'red', options: ['blue', 'green'] }

/** The editor of the one caption of the HIT, with these suggestions in hand. */
async function openEditor(suggestions: SuggestedEdit[] = [john, two, red]) {
  queue(assignment({ items: [item(1, { text })] }))
  server.use(
    http.get('*/api/v1/assignments/:id/suggestions', () =>
      HttpResponse.json({ items: [{ position: 1, suggestions }] }),
    ),
  )
  const { user, queryClient } = renderPage(<AnnotatePage project={harbour} />)
  await screen.findByText(text)
  await waitFor(() => expect(queryClient.getQueryData(['suggestions', assignment().id])).toBeDefined(), {
    timeout: 3000,
  })
  await user.keyboard('e')
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Caption' })
  return { user, field }
}

test('with the editor open one digit takes a suggestion, and Enter keeps it with its kind', async () => {
  const sent = answerSubmitsWith(() => accepted())
  const { user, field } = await openEditor()
  expect(screen.getByRole('button', { name: /John\W+→\W+<person>\W+Person/ })).toBeVisible()
  await user.keyboard('1')
  expect(field).toHaveValue('<person> sees two red boats')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(field).not.toBeInTheDocument())
  await user.keyboard('g{Enter}')
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body.judgments[0]?.edits).toEqual([
    { start: 0, end: 4, before: 'John', after: '<person>', kind: 'person' },
  ])
})

test('of several texts the next digit takes one, and Esc goes back a step before it leaves the editor', async () => {
  const { user, field } = await openEditor()
  await user.keyboard('3')
  expect(screen.getByText('Replace “red” with:')).toBeVisible()
  await user.keyboard('{Escape}')
  expect(screen.getByText('Choose the words to change:')).toBeVisible()
  await user.keyboard('32')
  expect(field).toHaveValue('John sees two green boats')
  expect(screen.getByRole('group', { name: 'Suggested edits' })).not.toHaveTextContent('red')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(field).not.toBeInTheDocument())
  expect(screen.getByText('Edited')).toBeVisible()
})

test('after a digit the next one takes another suggestion, and letters go on behind the words that were put in', async () => {
  const { user, field } = await openEditor()
  await user.keyboard('1')
  await user.keyboard('21')
  expect(field).toHaveValue('<person> sees two blue boats')
  await user.keyboard('ish')
  expect(field).toHaveValue('<person> sees two blueish boats')
})

test('on a suggestion reached by an arrow Enter takes it, and Ctrl+Enter keeps the edit', async () => {
  const { user, field } = await openEditor()
  await user.keyboard('{ArrowDown}{Enter}')
  expect(field).toHaveValue('<person> sees two red boats')
  await user.keyboard('{ArrowDown}{ArrowRight}')
  expect(screen.getByRole('button', { name: /red/ })).toHaveFocus()
  await user.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(field).not.toBeInTheDocument())
  expect(screen.getByText('Edited')).toBeVisible()
})

test('once the last suggestion is taken the field has the focus', async () => {
  const { user, field } = await openEditor([red])
  await user.keyboard('12')
  expect(field).toHaveFocus()
  await user.keyboard('er')
  expect(field).toHaveValue('John sees two greener boats')
})

test('where only a person can say, the words are marked and written over, with the kind they would have', async () => {
  const { user, field } = await openEditor()
  await user.keyboard('2')
  expect(field.value.slice(field.selectionStart, field.selectionEnd)).toBe('two')
  await user.keyboard('some')
  expect(field).toHaveValue('John sees some red boats')
  expect(screen.getByRole('button', { name: /Kind of change: “two” → “some”/ })).toHaveTextContent('Number')
})

test('digits work on a French keyboard, and Tab with Enter does the same', async () => {
  const { user, field } = await openEditor()
  fireEvent.keyDown(screen.getByRole('button', { name: /John/ }), { key: '&', code: 'Digit1' })
  expect(field).toHaveValue('<person> sees two red boats')
  await user.tab()
  expect(screen.getByRole('button', { name: /two/ })).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(field).toHaveFocus()
})

test('whoever types goes on in the field, digits and all', async () => {
  const { user, field } = await openEditor()
  await user.keyboard('{Backspace}')
  expect(field).toHaveFocus()
  await user.keyboard('s 1')
  expect(field.value).toMatch(/s 1$/)
})

test('without suggestions the editor opens in its field', async () => {
  const { field } = await openEditor([])
  expect(field).toHaveFocus()
  expect(screen.queryByRole('group', { name: 'Suggested edits' })).not.toBeInTheDocument()
})

import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accepted, answerSubmitsWith, queue, second, unreachable } from '@/testing/annotating'
import { assignment, harbour } from '@/testing/data'
import { renderPage } from '@/testing/render-app'
import { AnnotatePage } from './annotate-page'

async function openPage() {
  const view = renderPage(<AnnotatePage project={harbour} />)
  await screen.findByText('The sea keeps its own counsel.')
  return view
}

const politely = () => screen.getByTestId('said-polite')
const atOnce = () => screen.getByTestId('said-assertive')
const openOne = () => document.querySelector('[data-open]')

test('the first caption is read out and has the focus, and both go on with the keys', async () => {
  const { user } = await openPage()
  expect(politely()).toHaveTextContent('Caption 1 of 3: The sea keeps its own counsel.')
  expect(openOne()).toHaveFocus()
  await user.keyboard('g')
  expect(politely()).toHaveTextContent('Caption 1 is good. Caption 2 of 3: A red tractor in a field.')
  expect(openOne()).toHaveTextContent('A red tractor in a field.')
  expect(openOne()).toHaveFocus()
  await user.keyboard('bu')
  expect(openOne()).toHaveTextContent('All 3 judged.')
  expect(openOne()).toHaveFocus()
})

test('a submit is read out with where one is then, and the focus is on the first caption of the next', async () => {
  queue(assignment(), second)
  answerSubmitsWith(() => accepted())
  const { user, queryClient } = await openPage()
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  await user.keyboard('gbu{Enter}')
  expect(await screen.findByText('Rain, later.')).toBeVisible()
  expect(politely()).toHaveTextContent('Submitted. This was task 5 today.Caption 1 of 1: Rain, later.')
  expect(openOne()).toHaveFocus()
})

test('a submit by the button leaves the focus on the next caption, not on the page around it', async () => {
  queue(assignment(), second)
  answerSubmitsWith(() => accepted())
  const { user, queryClient } = await openPage()
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  await user.keyboard('gbu')
  screen.getByRole('button', { name: /^Submit/ }).focus()
  await user.keyboard('{Enter}')
  await screen.findByText('Rain, later.')
  expect(openOne()).toHaveFocus()
})

test('the region is there before anything is said, and the same words are said again', async () => {
  const { user } = await openPage()
  const before = politely()
  await user.keyboard('tt')
  expect(politely()).toHaveTextContent('Marked as too generic.No longer marked as too generic.')
  await user.keyboard('t')
  expect(politely()).toHaveTextContent('No longer marked as too generic.Marked as too generic.')
  expect(politely()).toBe(before)
})

test('offline is said once, at once, and so is the way back', async () => {
  answerSubmitsWith(unreachable, () => accepted())
  const { user } = await openPage()
  await user.keyboard('gbu{Enter}')
  await waitFor(() => expect(atOnce()).toHaveTextContent('You are offline. Your 3 answers are saved on this device'))
  const nSaid = atOnce().children.length
  act(() => {
    window.dispatchEvent(new Event('online'))
  })
  await screen.findByText('Rain, later.')
  await waitFor(() => expect(politely()).toHaveTextContent('You are online again. Everything is submitted.'))
  expect(atOnce().children).toHaveLength(nSaid)
})

test('who has moved the focus to a button keeps it there', async () => {
  const { user } = await openPage()
  const guidelines = screen.getAllByRole('button', { name: 'Guidelines' })[0]
  guidelines?.focus()
  await user.keyboard('g')
  expect(guidelines).toHaveFocus()
})

test('who is quicker than the line reads and hears that the next one is on its way', async () => {
  answerSubmitsWith(() => new Promise(() => undefined))
  const { user } = await openPage()
  await user.keyboard('gbu{Enter}')
  expect(await screen.findByText('Submitted. Loading the next task.')).toBeVisible()
  await waitFor(() => expect(politely()).toHaveTextContent('Loading the next task.'))
})

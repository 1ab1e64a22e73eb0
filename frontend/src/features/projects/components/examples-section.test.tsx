import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import type { GuidelineExample, GuidelineExampleIn } from '@/lib/api/served'
import { alice, curated, image } from '@/testing/catalogue-data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { ExamplesSection } from './examples-section'

const example = (text: string): GuidelineExample => ({
  image: 7,
  thumbnail: image(7).thumbnail,
  text,
  label: 'good',
  edited_text: '',
  explanation: 'It fits.',
})

interface Sent {
  version: number
  examples: GuidelineExampleIn[]
}

const sent: Sent[] = []
const onSaved = vi.fn()

beforeEach(() => {
  sent.length = 0
  server.use(
    http.get('*/guidelines/examples', () =>
      HttpResponse.json({ version: 1, examples: [example('First.'), example('Second.')] }),
    ),
    http.get('*/projects/:slug/images', () => HttpResponse.json({ next: null, results: [image(7), image(8)] })),
    http.put('*/guidelines/examples', async ({ request }) => {
      const body = (await request.json()) as Sent
      sent.push(body)
      const examples = body.examples.map((each) => ({ ...each, thumbnail: image(each.image).thumbnail }))
      return HttpResponse.json({ version: body.version + 1, examples })
    }),
  )
})

const open = () => renderPage(<ExamplesSection project={curated} version={3} onSaved={onSaved} />, alice)

test('a picture, words, a verdict and a reason make an example, saved with the version that was read', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Add an example' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add an example' }))
  expect(dialog.getByRole('button', { name: 'Apply' })).toBeDisabled()
  await user.click(await dialog.findByRole('radio', { name: 'Image 8' }))
  await user.type(dialog.getByRole('textbox', { name: 'Caption' }), 'Two boats.')
  await user.click(dialog.getByRole('radio', { name: 'Bad' }))
  await user.type(dialog.getByRole('textbox', { name: 'Edited caption' }), 'A boat.')
  await user.type(dialog.getByRole('textbox', { name: 'Explanation, in one sentence' }), 'There is one boat.')
  await user.click(dialog.getByRole('button', { name: 'Apply' }))
  expect(sent).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Save the examples' }))
  await waitFor(() => expect(onSaved).toHaveBeenCalledWith(4))
  expect(sent[0]?.version).toBe(3)
  expect(sent[0]?.examples[2]).toEqual({
    image: 8,
    text: 'Two boats.',
    label: 'bad',
    edited_text: 'A boat.',
    explanation: 'There is one boat.',
  })
})

test('examples are put in another order, changed and removed before they are saved', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Move example 2 up' }))
  expect(screen.getByRole('button', { name: 'Move example 1 up' })).toBeDisabled()
  await user.click(screen.getByRole('button', { name: 'Remove example 2' }))
  await user.click(screen.getByRole('button', { name: 'Change example 1' }))
  const caption = await screen.findByRole('textbox', { name: 'Caption' })
  expect(caption).toHaveValue('Second.')
  await user.type(caption, ' Indeed.')
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  await user.click(screen.getByRole('button', { name: 'Save the examples' }))
  await waitFor(() => expect(sent[0]?.examples.map(({ text }) => text)).toEqual(['Second. Indeed.']))
})

test('examples that were read without the numbers of their pictures are read anew before they are changed', async () => {
  const read = vi.fn(() => HttpResponse.json({ version: 1, examples: [example('First.')] }))
  read.mockReturnValueOnce(HttpResponse.json({ version: 1, examples: [{ ...example('First.'), image: null }] }))
  server.use(http.get('*/guidelines/examples', () => read()))
  const { user, queryClient } = open()
  expect(await screen.findByRole('status', { name: /examples/i })).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Add an example' })).not.toBeInTheDocument()
  await queryClient.invalidateQueries()
  await user.click(await screen.findByRole('button', { name: 'Change example 1' }))
  expect(read).toHaveBeenCalledTimes(2)
})

test('an example that is a control is named', async () => {
  server.use(
    http.put('*/guidelines/examples', () =>
      refusal(409, 'example_is_control', 'This pair is a control.', { position: 2 }),
    ),
  )
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Move example 1 down' }))
  await user.click(screen.getByRole('button', { name: 'Save the examples' }))
  expect(await screen.findByText('Example 2: This pair is a control.')).toBeVisible()
})

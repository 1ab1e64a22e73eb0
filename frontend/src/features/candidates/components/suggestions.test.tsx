import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import type { Candidate } from '@/lib/api/served'
import { candidate, dropped, suggestion, summary } from '@/testing/candidate-data'
import { alice, curated, image } from '@/testing/catalogue-data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import type { PoolFilter } from '../state/pool-filter'
import { PoolPage } from './pool-page'

const text = '🎉 Ada sees two red foxes'
const suggested = candidate(1, {
  text,
  raw_text: text,
  suggestions: [
    suggestion('person', 2, 'Ada', ['<person>']),
    suggestion('number', 11, 'two'),
    suggestion('object_name', 15, 'red foxes', ['foxes', 'canines', 'carnivores']),
  ],
})

function open(pool: readonly Candidate[], filter: PoolFilter = {}, onFilter = vi.fn()) {
  const asked: URL[] = []
  server.use(
    http.get('*/api/v1/projects/:slug/images/:id', () => HttpResponse.json(image(2))),
    http.get('*/images/2/pool', () => refusal(404, 'no_pool', 'Nothing was retrieved for this image yet.')),
    http.get('*/images/2/candidates/summary', () => HttpResponse.json({ ...summary, suggests: { person: 3 } })),
    http.get('*/images/2/candidates', ({ request }) => {
      asked.push(new URL(request.url))
      return HttpResponse.json({ next: null, previous: null, results: pool })
    }),
  )
  const page = <PoolPage project={curated} imageId={2} filter={filter} onFilter={onFilter} />
  return { ...renderPage(page, alice), asked, onFilter }
}

const mark = (words: string) => screen.findByText(words, { selector: '[data-kind]' })
const marks = () => document.querySelectorAll('bdi [data-kind]')

test('words that may need an edit are marked in their place, also behind an emoji, and say their kind', async () => {
  open([suggested])
  const name = await mark('Ada')
  expect(name).toHaveAttribute('data-kind', 'Person')
  expect(await mark('red foxes')).toHaveAttribute('data-kind', 'Animal or plant')
  expect(name.closest('bdi')).toHaveTextContent(text)
})

test('a caption is one stop of the keyboard for all its marks', async () => {
  const { user } = open([suggested])
  await mark('Ada')
  const summary = screen.getByText(/^Suggested edits/)
  const stops: (string | null | undefined)[] = []
  for (let turn = 0; turn < 20 && document.activeElement !== summary; turn += 1) {
    await user.tab()
    stops.push(document.activeElement?.textContent)
  }
  expect(stops.at(-1)).toBe(summary.textContent)
  expect(stops).not.toContain('Ada')
})

test('a click on a mark, or on the line beneath, opens the list of what could stand there', async () => {
  const { user } = open([suggested])
  const name = await mark('Ada')
  const row = within(name.closest<HTMLElement>('li') ?? name)
  expect(row.queryByText('<person>')).not.toBeInTheDocument()
  await user.click(name)
  const [person, number, animal] = row.getAllByRole('listitem')
  expect(person).toHaveTextContent('PersonAda → could become <person>')
  expect(number).toHaveTextContent('Numbertwo: look at the image to find the right word')
  expect(animal).toHaveTextContent('Animal or plantred foxes → could become foxes, canines or carnivores')
  await user.click(await mark('two'))
  expect(row.queryByText('<person>')).not.toBeInTheDocument()
  await user.click(row.getByText('Suggested edits: person, number, animal or plant'))
  expect(await row.findByText('<person>')).toBeVisible()
})

test('nothing is marked in a caption without suggestions, and nothing of an older text', async () => {
  const stale = candidate(2, { text: 'Grace waits', suggestions: [suggestion('person', 0, 'Ada', ['<person>'])] })
  open([candidate(1, { text: 'Nobody waits' }), dropped(3, 'too_short', '', { raw_text: 'Ada' }), stale])
  expect(await screen.findByText('Grace waits')).toBeVisible()
  expect(marks()).toHaveLength(0)
})

test('what is offered is text, whatever stands in it', async () => {
  const tags = '<img src=x onerror=alert(1)>'
  const { user } = open([
    candidate(1, { text: `Ada ${tags} \u202eabc`, suggestions: [suggestion('person', 4, tags, [tags, 'زورق'])] }),
  ])
  await user.click(await mark(tags))
  expect(screen.getAllByText(tags)).toHaveLength(3)
  expect(screen.getByText('زورق').tagName).toBe('BDI')
  expect(document.querySelector('img[src="x"]')).toBeNull()
})

test('a caption is dropped at once with its marks', async () => {
  server.use(http.post('*/candidates/1/drop', () => new Promise<never>(() => undefined)))
  const { user } = open([suggested])
  await mark('Ada')
  await user.keyboard('jx')
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }))
  expect(await screen.findByText('By hand')).toBeVisible()
  expect(marks()).toHaveLength(0)
})

test('captions are narrowed to a kind of suggestion, which the server is asked for', async () => {
  const { user, asked, onFilter } = open([suggested], { suggests: 'person', sort: 'rank' })
  await mark('Ada')
  expect(asked[0]?.searchParams.get('suggests')).toBe('person')
  await user.click(await screen.findByRole('button', { name: /Suggested edit/ }))
  expect(await screen.findByRole('option', { name: 'Person, 3' })).toBeVisible()
  await user.click(screen.getByRole('option', { name: 'Any or none' }))
  expect(onFilter).toHaveBeenLastCalledWith({ sort: 'rank' })
})

import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Candidate, Difficulty, ModelVote, Selection } from '@/lib/api/served'
import { candidate as caption } from '@/testing/candidate-data'
import { alice } from '@/testing/catalogue-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { CaptionPool } from './caption-pool'

const candidate = (id: number): Candidate => caption(id, { source: 'human' })

const said = (n: number, score: number | null): ModelVote => ({
  model: `model-${n}`,
  digest: String(n).repeat(64),
  threshold: 0.25,
  score,
  vote: score === null ? null : score >= 0.25,
})

/** Seven models, `yes` of which match and `unknown` of which could not be asked. */
function difficulty(category: Difficulty['category'], yes: number, unknown = 0): Difficulty {
  const scoreOf = (n: number) => (n <= yes ? 0.3 : n <= 7 - unknown ? 0.2 : null)
  const votes = [1, 2, 3, 4, 5, 6, 7].map((n) => said(n, scoreOf(n)))
  return { category, n_votes: unknown ? null : yes, policy: 'unanimous', votes }
}

/** One chosen caption for each difficulty, in that order. */
function serveChosen(...difficulties: (Difficulty | null)[]): void {
  const captions = difficulties.map((each, index) => ({
    position: index + 1,
    candidate: index + 1,
    key: `key-${index + 1}`,
    text: `Caption ${index + 1}`,
    cluster: index,
    is_pinned: false,
    difficulty: each,
  }))
  const selection: Selection = {
    status: 'selected',
    variant: 'kmeans',
    method: 'umap_kmeans',
    mean_similarity: 0.2,
    n_good: 5,
    n_wanted: 5,
    n_clusters: 5,
    stability: 0.4,
    captions,
  }
  server.use(http.get('*/images/1/selection', () => HttpResponse.json(selection)))
}

beforeEach(() => {
  const page = (results: unknown[]) => HttpResponse.json({ next: null, previous: null, results })
  server.use(
    http.get('*/images/1/candidates', () => page([1, 2, 3, 4].map(candidate))),
    http.get('*/images/1/votes', () => page([])),
  )
})

const captionOf = async (text: string) => {
  const item = (await screen.findByText(text)).closest('li')
  if (!item) throw new Error(`${text} is in no list`)
  return within(item)
}

test('beside each chosen caption stand its difficulty in a word and how many models match', async () => {
  serveChosen(difficulty('easy', 7), difficulty('medium', 5), difficulty('hard', 0))
  renderPage(<CaptionPool slug="harbour" imageId={1} />, alice)
  expect(await (await captionOf('Caption 1')).findByText('Easy')).toBeVisible()
  const medium = await captionOf('Caption 2')
  expect(medium.getByText('Medium')).toBeVisible()
  expect(medium.getByText('5 of 7 models match')).toBeVisible()
  expect((await captionOf('Caption 3')).getByText('0 of 7 models match')).toBeVisible()
  expect((await captionOf('Caption 4')).queryByText(/models match/)).not.toBeInTheDocument()
})

test('the seven marks are shapes in the order of the panel and stay out of what is read aloud', async () => {
  serveChosen(difficulty('unrated', 2, 1))
  renderPage(<CaptionPool slug="harbour" imageId={1} />, alice)
  const caption = await captionOf('Caption 1')
  const summary = (await caption.findByText('No difficulty')).closest('summary')
  const marks = [...(summary?.querySelector('[aria-hidden="true"]')?.children ?? [])].map((mark) => mark.className)
  const [yes, no, unknown] = [marks[0], marks[2], marks[6]]
  expect(marks).toEqual([yes, yes, no, no, no, no, unknown])
  expect(new Set([yes, no, unknown]).size).toBe(3)
  expect(summary).toHaveTextContent('2 of 7 models match, 1 without a result')
})

test('a click says which model gave what score against which threshold', async () => {
  serveChosen(difficulty('unrated', 5, 1))
  const { user } = renderPage(<CaptionPool slug="harbour" imageId={1} />, alice)
  const caption = await captionOf('Caption 1')
  await user.click(await caption.findByText(/5 of 7 models match/))
  const rows = caption.getAllByRole('row').map((row) => row.textContent)
  expect(rows[1]).toBe('model-10.30000.2500matches')
  expect(rows[6]).toBe('model-60.20000.2500does not match')
  expect(rows[7]).toBe('model-7no score0.2500no result')
  expect(caption.getByText(/Rule: unanimous/)).toBeVisible()
})

test('two models called alike are two marks and two rows', async () => {
  const complaints = vi.spyOn(console, 'error')
  const votes = [said(1, 0.3), { ...said(2, 0.2), model: 'model-1' }]
  serveChosen({ category: 'medium', n_votes: 1, policy: 'unanimous', votes })
  const { user } = renderPage(<CaptionPool slug="harbour" imageId={1} />, alice)
  const caption = await captionOf('Caption 1')
  await user.click(await caption.findByText(/1 of 2 models match/))
  expect(
    caption
      .getAllByRole('row')
      .map((row) => row.textContent)
      .slice(1),
  ).toEqual(['model-10.30000.2500matches', 'model-10.20000.2500does not match'])
  expect(complaints).not.toHaveBeenCalled() // React says it where two children have one key
  complaints.mockRestore()
})

test('where no panel was asked nothing is said of difficulty', async () => {
  serveChosen(null)
  renderPage(<CaptionPool slug="harbour" imageId={1} />, alice)
  expect(await screen.findByText('Selected, 1')).toBeVisible()
  expect(screen.queryByText(/models match/)).not.toBeInTheDocument()
})

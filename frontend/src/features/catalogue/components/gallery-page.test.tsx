import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { type ImageFilter, imagesQuery, pageSize } from '@/lib/images/get-images'
import { alice, curated, images } from '@/testing/catalogue-data'
import { harbour } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { readFilter } from '../state/gallery-filter'
import { GalleryPage } from './gallery-page'

const many = 25_000

beforeEach(() => {
  // jsdom lays nothing out: every box is 1,200 wide.
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 1200, 250))
  server.use(
    http.get('*/api/v1/projects/:slug/images/counts', () => HttpResponse.json([])),
    http.get('*/api/v1/projects/:slug/gallery/marks', () => HttpResponse.json([])),
  )
})

/** Pages of the list by cursor; returns the cursors asked for. */
function servePages(total: number): string[] {
  const asked: string[] = []
  server.use(
    http.get('*/api/v1/projects/:slug/images', ({ request }) => {
      const address = new URL(request.url)
      const first = Number(address.searchParams.get('cursor') ?? 1)
      asked.push(String(first))
      const after = first + pageSize
      const next = after <= total ? `http://localhost/api/v1/projects/harbour/images?cursor=${after}` : null
      const results = images(first, Math.min(pageSize, total - first + 1))
      return HttpResponse.json({ next, previous: null, results })
    }),
  )
  return asked
}

const scrollTo = (y: number) =>
  act(() => {
    vi.stubGlobal('scrollY', y)
    fireEvent.scroll(window)
  })

test('of 25,000 photographs only those near the window are in the page, wherever it is scrolled', async () => {
  server.use(
    http.get('*/api/v1/projects/:slug/images', () => HttpResponse.json({ next: null, previous: null, results: [] })),
  )
  const pages = Array.from({ length: many / pageSize }, (_, page) => ({
    next: null,
    previous: null,
    results: images(page * pageSize + 1, pageSize),
  }))
  const page = <GalleryPage project={{ ...curated, counts: { ...curated.counts, images: many } }} />
  const { queryClient } = renderPage(page, alice)
  act(() => {
    queryClient.setQueryData(imagesQuery('harbour').queryKey, { pages, pageParams: pages.map(() => undefined) })
  })
  expect(await screen.findByText('25,000 images')).toBeVisible()
  expect(await screen.findByAltText('Harbour 1')).toBeInTheDocument()
  expect(screen.getAllByRole('img').length).toBeLessThan(80)
  scrollTo(600_000)
  await waitFor(() => expect(screen.queryByAltText('Harbour 1')).not.toBeInTheDocument())
  expect(screen.getAllByRole('img').length).toBeLessThan(80)
  expect(Number(screen.getAllByRole('listitem')[0]?.getAttribute('aria-posinset'))).toBeGreaterThan(5000)
  vi.unstubAllGlobals()
})

test('the next page is asked for once, when its end comes near', async () => {
  const asked = servePages(250)
  renderPage(<GalleryPage project={curated} />, alice)
  await screen.findByAltText('Harbour 1')
  expect(asked).toEqual(['1'])
  scrollTo(5000)
  await waitFor(() => expect(asked).toEqual(['1', '101']))
  vi.unstubAllGlobals()
})

test('a page that cannot be fetched leaves the others and can be asked for again', async () => {
  servePages(250)
  renderPage(<GalleryPage project={curated} />, alice)
  await screen.findByAltText('Harbour 1')
  server.use(http.get('*/api/v1/projects/:slug/images', () => refusal(400, 'invalid', 'No.')))
  scrollTo(5000)
  const again = await screen.findByRole('button', { name: 'Try again' })
  const asked = servePages(250)
  fireEvent.click(again)
  await waitFor(() => expect(asked).toEqual(['101']))
  vi.unstubAllGlobals()
})

test('one photograph is reached by Tab and the arrows move on from it', async () => {
  servePages(20)
  const { user } = renderPage(<GalleryPage project={curated} />, alice)
  await screen.findByAltText('Harbour 1')
  await user.tab()
  expect(document.activeElement).toHaveAttribute('data-tile', '0')
  await user.keyboard('{ArrowRight}')
  await waitFor(() => expect(document.activeElement).toHaveAttribute('data-tile', '1'))
  await user.keyboard('{End}')
  await waitFor(() => expect(document.activeElement).toHaveAttribute('data-tile', '19'))
})

test('a photograph that stays on the screen keeps its element, and with it the focus, while others come and go', async () => {
  servePages(100)
  renderPage(<GalleryPage project={curated} />, alice)
  const before = await screen.findByAltText('Harbour 18')
  scrollTo(1400)
  await waitFor(() => expect(screen.queryByAltText('Harbour 1')).not.toBeInTheDocument())
  expect(screen.getByAltText('Harbour 18')).toBe(before)
  vi.unstubAllGlobals()
})

test('an empty gallery tells a curator to import and an annotator to wait', async () => {
  server.use(
    http.get('*/api/v1/projects/:slug/images', () => HttpResponse.json({ next: null, previous: null, results: [] })),
  )
  const { unmount } = renderPage(<GalleryPage project={curated} />, alice)
  expect(await screen.findByRole('link', { name: 'Import images' })).toHaveAttribute('href', '/projects/harbour/walk')
  unmount()
  renderPage(<GalleryPage project={harbour} />)
  expect(await screen.findByText(/A curator must import them first/)).toBeVisible()
})

test('words and a state narrow the gallery, and badges say what is known of an image', async () => {
  servePages(0)
  const asked: string[] = []
  server.use(
    http.get('*/api/v1/projects/:slug/gallery', ({ request }) => {
      const { searchParams: said } = new URL(request.url)
      asked.push([said.get('q'), said.get('state'), said.get('sort')].join())
      return HttpResponse.json({ next: null, previous: null, results: said.get('q') === 'fog' ? [] : images(1, 1) })
    }),
    http.get('*/api/v1/projects/:slug/gallery/marks', () =>
      HttpResponse.json([{ image: 1, n_selected: 5, n_disputed: 3, n_assignments: 2, n_hits: 1 }]),
    ),
  )
  const { user } = renderPage(<Filtered />, alice)
  await user.click(await screen.findByRole('button', { name: 'With disputed captions' }))
  expect(await screen.findByText('3 disputed')).toBeInTheDocument()
  expect(screen.getByText('5 chosen')).toBeInTheDocument()
  const field = screen.getByRole('searchbox')
  await user.type(field, 'fog')
  expect(await screen.findByText('No image found')).toBeVisible()
  expect(field).toHaveFocus()
  expect(asked).toEqual([',disputed,', 'fog,disputed,'])
  await user.click(screen.getByRole('button', { name: 'Show all images' }))
  expect(field).toHaveValue('')
})

function Filtered() {
  const [filter, setFilter] = useState<ImageFilter>({})
  return (
    <GalleryPage
      project={{ ...curated, counts: { ...curated.counts, images: 1 } }}
      filter={filter}
      onFilter={(to) => setFilter(readFilter(to))}
    />
  )
}

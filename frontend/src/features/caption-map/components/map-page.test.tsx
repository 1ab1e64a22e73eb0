import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import { apart, fewInside, mostFew } from '@/components/point-map/few-points'
import { mapOf } from '@/lib/caption-map/map-data'
import { columns, map, packed } from '@/testing/caption-map-data'
import { alice, curated, image } from '@/testing/catalogue-data'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { MapPage } from './map-page'
import { imagesOf } from './point-list'

const serve = (answer: object) => server.use(http.get('*/api/v1/projects/:slug/map', () => HttpResponse.json(answer)))

beforeEach(() => {
  // jsdom lays nothing out and has no WebGL: only the list remains, as for people who cannot see the map.
  vi.stubGlobal('matchMedia', () => new EventTarget())
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  serve({ map, run: { id: '1', status: 'succeeded', done: 6, total: 6 } })
  server.use(
    http.get('*/api/v1/projects/:slug/map/points', () => HttpResponse.arrayBuffer(packed())),
    http.get('*/api/v1/projects/:slug/map/columns', () => HttpResponse.json(columns)),
    http.get('*/api/v1/projects/:slug/map/releases', () =>
      HttpResponse.json([{ label: '1.2.0', images: [11], captions: [102, 103] }]),
    ),
    http.get('*/api/v1/projects/:slug/images/:id/caption_space', () =>
      HttpResponse.json({ status: null, variant: null, method: '', points: [] }),
    ),
    http.get('*/api/v1/projects/:slug/images/:id', ({ params }) =>
      HttpResponse.json({ ...image(Number(params.id)), phash: '0', notes: [], n_bytes: 1, original_url: null }),
    ),
  )
})

async function open() {
  const user = userEvent.setup()
  renderPage(<MapPage project={curated} />, alice)
  await screen.findByRole('heading', { name: '3 captions' })
  return user
}

const listed = () =>
  within(screen.getByRole('region', { name: 'List' }))
    .getAllByRole('listitem')
    .map((row) => row.textContent)

test('the list has every caption that is still there, and the page says what is not on the map', async () => {
  await open()
  expect(listed()).toEqual(['A harbour asleepHard', 'The sea breathesEasy', 'Two boats'])
  expect(screen.getByText('2 captions were added later and are not on the map.')).toBeInTheDocument()
  expect(screen.getByText(/This browser cannot draw the map/)).toBeInTheDocument()
})

test('a press on entries of the legend shows only their points, those without a value too', async () => {
  const user = await open()
  await user.click(screen.getByRole('button', { name: /^Hard/ }))
  expect(listed()).toEqual(['A harbour asleepHard'])
  await user.click(screen.getByRole('button', { name: /^No value/ }))
  expect(listed()).toEqual(['A harbour asleepHard', 'Two boats'])
  await user.click(screen.getByRole('button', { name: 'Remove all filters' }))
  expect(listed()).toHaveLength(3)
})

test('a search finds words of captions and keys of images', async () => {
  const user = await open()
  const field = screen.getByRole('searchbox', { name: 'Search' })
  await user.click(field)
  await user.paste('SEA')
  await screen.findByRole('heading', { name: '1 caption' })
  await user.clear(field)
  await user.paste('photo-12')
  await screen.findByRole('heading', { name: '1 caption' })
  expect(listed()).toEqual(['Two boats'])
})

test('a row opens the photograph, what is known of the caption, and its pages', async () => {
  const user = await open()
  await user.click(screen.getByRole('button', { name: /A harbour asleep/ }))
  const detail = within(screen.getByRole('region', { name: 'Details' }))
  expect(await detail.findByRole('img', { name: 'Harbour 11' })).toBeInTheDocument()
  expect(detail.getByRole('link', { name: 'Open the image' })).toHaveAttribute('href', '/projects/harbour/images/11')
  expect(detail.getByText('The sea breathes')).toBeInTheDocument()
  expect(detail.getByRole('heading', { name: 'A harbour asleep' })).toHaveFocus()
})

test('the caption space marks captions that are longer than the text model reads', async () => {
  const point = { x: 0, y: 0, cluster: 0, is_pinned: false, is_banned: false }
  const points = [
    { ...point, candidate: 1, text: 'A harbour asleep', is_chosen: true, is_truncated: false },
    { ...point, candidate: 2, text: 'A very long story', is_chosen: false, is_truncated: true },
  ]
  server.use(
    http.get('*/api/v1/projects/:slug/images/:id/caption_space', () =>
      HttpResponse.json({ status: 'selected', variant: 'kmeans', method: 'kmeans', points }),
    ),
  )
  const user = await open()
  await user.click(screen.getByRole('button', { name: /A harbour asleep/ }))
  const space = within(await screen.findByRole('figure', { name: 'Caption space of the image' }))
  await user.click(space.getByText('Show as a table'))
  const rows = space.getAllByRole('row').map((row) => row.textContent)
  expect(rows.slice(1)).toEqual([
    'A harbour asleep1Selected',
    'A very long story1Not selectedLonger than the text model reads',
  ])
})

test('where there is no map, a curator makes one', async () => {
  serve({ map: null, run: null })
  const sent: unknown[] = []
  server.use(
    http.post('*/api/v1/projects/:slug/runs', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({}, { status: 201 })
    }),
  )
  renderPage(<MapPage project={curated} />, alice)
  await userEvent.click(await screen.findByRole('button', { name: 'Make the map' }))
  expect(sent).toEqual([{ stage: 'map_captions', parameters: {}, seed: 0 }])
})

test('a head annotator cannot make a map', async () => {
  serve({ map: null, run: null })
  renderPage(<MapPage project={{ ...curated, role: 'head_annotator' }} />, alice)
  expect(await screen.findByText(/A curator must make the map first/)).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Make the map' })).not.toBeInTheDocument()
})

test('a release is a data set of the map', async () => {
  const user = await open()
  await user.click(screen.getByRole('button', { name: /Data set/ }))
  await user.click(await screen.findByRole('option', { name: 'Release 1.2.0' }))
  expect(await screen.findByRole('heading', { name: '2 captions' })).toBeInTheDocument()
  expect(listed()).toEqual(['The sea breathesEasy', 'Two boats'])
})

test('the images of a lasso are named once, in the order of the list', () => {
  const bytes = mapOf(packed(), columns)
  expect(imagesOf(bytes.captions, bytes.images, Int32Array.of(2, 0, 1))).toEqual([12, 11])
})

test('points are drawn as photographs where few of those shown are in the window', () => {
  const many = { xs: new Float32Array(mostFew + 1).fill(5), ys: new Float32Array(mostFew + 1).fill(5) }
  const size = { width: 10, height: 10 }
  const all = () => true
  expect(fewInside(many, size, { x: 0, y: 0, k: 1 }, all)).toBeNull()
  expect(fewInside(many, size, { x: 0, y: 0, k: 1 }, (index) => index < 2)).toEqual([0, 1])
  expect(fewInside(many, size, { x: 0, y: 0, k: 3 }, all)).toEqual([])
})

test('in a narrow window no photograph covers another, and more are drawn as one comes closer', () => {
  const row = { xs: Float32Array.from([10, 30, 60, 70]), ys: Float32Array.from([10, 10, 10, 100]) }
  expect(apart([0, 1, 2, 3], row, 1)).toEqual([0, 2, 3])
  expect(apart([0, 1, 2, 3], row, 3)).toEqual([0, 1, 2, 3])
})

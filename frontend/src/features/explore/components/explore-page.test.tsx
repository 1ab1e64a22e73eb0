import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Sample, SamplePick } from '@/lib/api/served'
import { columns, map as captionMap, packed } from '@/testing/caption-map-data'
import { alice, curated, image } from '@/testing/catalogue-data'
import { bob, harbour } from '@/testing/data'
import { refusal } from '@/testing/handlers'
import { renderPage } from '@/testing/render-app'
import { server } from '@/testing/server'
import { ExplorePage } from './explore-page'

const sample = (changes: Partial<Sample> = {}): Sample => ({
  id: 4,
  run: '22222222-2222-4222-8222-222222222222',
  k: 2,
  n_images: 4,
  n_picked: 2,
  n_left_out: 0,
  is_everything: false,
  is_short: false,
  cover_radius: 0.5,
  layout: 'umap',
  settings: { n_neighbors: 15, min_dist: 0.1, metric: 'cosine', seed: 7 },
  versions: { 'umap-learn': '0.5.12' },
  model: 'postcards-vision',
  model_digest: 'a'.repeat(64),
  digest: 'b'.repeat(64),
  in_force_since: null,
  created_at: '2026-01-05T10:00:00Z',
  ...changes,
})

/** Four photographs in the corners of a square; 12 was picked first, then 11. */
const points = { images: [11, 12, 13, 14], x: [0, 0, 1, 1], y: [0, 1, 0, 1], positions: [2, 1, null, null] }

const pick = (position: number, distance: number | null): SamplePick => {
  const { id, key, title, thumbnail } = image(13 - position)
  return { position, distance, x: 0, y: 0, image: { id, key, title, thumbnail } }
}

const painted: string[] = []
const asked: string[] = []
let frames = 0

beforeEach(() => {
  painted.length = asked.length = frames = 0
  // jsdom lays nothing out and draws nothing: the map is 500 by 500, and what is drawn is noted.
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 500, 500))
  vi.stubGlobal('matchMedia', () => new EventTarget())
  const own: Record<string, () => void> = {
    clearRect: () => (frames += 1),
    fillRect: () => painted.push('left'),
    drawImage: () => painted.push('picked'),
  }
  const context = new Proxy(own, { get: (_, name) => own[String(name)] ?? (() => undefined), set: () => true })
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never)
  server.use(
    http.get('*/api/v1/projects/:slug/map', () => HttpResponse.json({ map: null, run: null })),
    http.get('*/api/v1/projects/:slug/map/thumbnails', () =>
      HttpResponse.json([11, 12, 13, 14].map((id) => ({ image: id, thumbnail: image(id).thumbnail.small }))),
    ),
    http.get('*/api/v1/samples/4/points', () => HttpResponse.json(points)),
    http.get('*/api/v1/samples/4/picks', () =>
      HttpResponse.json({ next: null, previous: null, results: [pick(1, null), pick(2, 1.25)] }),
    ),
    http.get('*/api/v1/projects/:slug/images/:id', ({ params }) => {
      asked.push(String(params.id))
      return HttpResponse.json({ ...image(Number(params.id)), phash: '0', notes: [], n_bytes: 1, original_url: null })
    }),
  )
  serve([sample()])
})

const serve = (samples: readonly Sample[]) =>
  server.use(http.get('*/api/v1/projects/:slug/samples', () => HttpResponse.json(samples)))

const map = () => screen.findByRole('application', { name: 'Map of 4 images, 2 in the sample' })

/** jsdom's pointer events forget where they are. */
const pointer = (element: Element, kind: string, x: number, y: number, pointerType = 'mouse') =>
  act(() => {
    const event = new MouseEvent(kind, { bubbles: true, clientX: x, clientY: y, button: 0 })
    Object.defineProperties(event, { pointerType: { value: pointerType }, isPrimary: { value: true } })
    fireEvent(element, event)
  })

test('every photograph is drawn, the picked ones apart from the left ones, and counted in words', async () => {
  renderPage(<ExplorePage project={curated} />, alice)
  await map()
  await waitFor(() => expect(painted.toSorted()).toEqual(['left', 'left', 'picked', 'picked']))
  expect(screen.getByText(/2 of 4 images in the sample/)).toBeVisible()
  const legend = screen.getByRole('list', { name: 'Legend' })
  expect(legend).toHaveTextContent('2 in the sample')
  expect(legend).toHaveTextContent('2 not in the sample')
})

test('where few images are on the screen, their photographs stand in place of the dots', async () => {
  renderPage(<ExplorePage project={curated} />, alice)
  const box = await map()
  await waitFor(() => expect(box.querySelectorAll('img')).toHaveLength(4))
  expect(box.querySelector('img')).toHaveAttribute('src', '/media/11.webp')
})

test('a smaller sample is the beginning of this one', async () => {
  renderPage(<ExplorePage project={curated} />, alice)
  await map()
  await waitFor(() => expect(painted).toHaveLength(4))
  painted.length = 0
  fireEvent.change(screen.getByRole('slider', { name: /Number of images in the sample/ }), { target: { value: '1' } })
  await waitFor(() => expect(painted.toSorted()).toEqual(['left', 'left', 'left', 'picked']))
  expect(screen.getByRole('list', { name: 'Legend' })).toHaveTextContent('3 not in the sample')
})

test('a photograph is fetched when the pointer rests on its dot, and not before', async () => {
  renderPage(<ExplorePage project={curated} />, alice)
  const box = await map()
  pointer(box, 'pointermove', 250, 250)
  expect(asked).toEqual([])
  pointer(box, 'pointermove', 444, 440)
  expect(await screen.findByAltText('Harbour 13')).toHaveAttribute('src', '/media/13.webp')
  expect(screen.getByText('Not in the sample')).toBeVisible()
  expect(asked).toEqual(['13'])
})

test('a tap keeps the photograph, a drag does not choose one', async () => {
  renderPage(<ExplorePage project={curated} />, alice)
  const box = await map()
  pointer(box, 'pointerdown', 62, 62, 'touch')
  pointer(box, 'pointerup', 122, 62, 'touch')
  expect(asked).toEqual([])
  pointer(box, 'pointerdown', 62, 62, 'touch')
  pointer(box, 'pointerup', 63, 62, 'touch')
  expect(await screen.findByAltText('Harbour 12')).toBeVisible()
  expect(screen.getByText('Image 1 of 2 in the sample')).toBeVisible()
})

test('N and P go from pick to pick in their order, Escape lets go', async () => {
  const { user } = renderPage(<ExplorePage project={curated} />, alice)
  await map()
  await user.keyboard('n')
  expect(await screen.findByAltText('Harbour 12')).toBeVisible()
  await user.keyboard('n')
  expect(await screen.findByAltText('Harbour 11')).toBeVisible()
  await user.keyboard('nn')
  expect(screen.getByText('Image 2 of 2 in the sample')).toBeVisible()
  await user.keyboard('p')
  expect(await screen.findByText('Image 1 of 2 in the sample')).toBeVisible()
  await user.keyboard('{Escape}')
  expect(screen.getByText(/Point at a dot/)).toBeVisible()
})

test('the keys that move the map make a new picture of it', async () => {
  const { user } = renderPage(<ExplorePage project={curated} />, alice)
  const box = await map()
  await waitFor(() => expect(painted).toHaveLength(4))
  const before = frames
  await user.keyboard('+')
  await waitFor(() => expect(frames).toBe(before + 1))
  await user.keyboard('{ArrowRight}')
  act(() => box.focus())
  await user.keyboard('{ArrowRight}')
  await waitFor(() => expect(frames).toBe(before + 2))
  await user.keyboard('0')
  await waitFor(() => expect(frames).toBe(before + 3))
})

test('the table says in words what the map shows', async () => {
  renderPage(<ExplorePage project={curated} />, alice)
  const rows = within(await screen.findByRole('grid', { name: 'Images of the sample, in order' })).getAllByRole('row')
  expect(rows[1]).toHaveTextContent(/1Harbour 12–/)
  expect(rows[2]).toHaveTextContent(/2Harbour 111\.250/)
})

test('a curator puts the sample in force and can lift it', async () => {
  const { user } = renderPage(<ExplorePage project={curated} />, alice)
  server.use(
    http.post('*/api/v1/samples/4/put-in-force', () => {
      const inForce = sample({ in_force_since: '2026-01-06T10:00:00Z' })
      serve([inForce])
      return HttpResponse.json(inForce)
    }),
  )
  await user.click(await screen.findByRole('button', { name: 'Use this sample' }))
  expect(await screen.findByText('Active')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Stop using this sample' })).toBeVisible()
})

test('a head annotator looks and changes nothing', async () => {
  renderPage(<ExplorePage project={{ ...harbour, role: 'head_annotator' }} />, bob)
  await map()
  expect(screen.queryByRole('button', { name: 'Use this sample' })).not.toBeInTheDocument()
})

test('a sample that took everything, was short or left images out says so', async () => {
  serve([sample({ is_everything: true, is_short: true, layout: 'principal', n_left_out: 3 })])
  renderPage(<ExplorePage project={curated} />, alice)
  expect(await screen.findByText(/All images are in the sample/)).toBeVisible()
  expect(screen.getByText(/copies of its images/)).toBeVisible()
  expect(screen.getByText(/too few images for UMAP/)).toBeVisible()
  expect(screen.getByText(/Images without a vector: 3\./)).toBeVisible()
})

test('without a sample the page says what will be here and where to begin', async () => {
  serve([])
  renderPage(<ExplorePage project={curated} />, alice)
  expect(await screen.findByText('No sample yet')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go to the pipeline' })).toBeVisible()
})

test('points that cannot be fetched leave the table, and can be asked for again', async () => {
  server.use(http.get('*/api/v1/samples/4/points', () => refusal(503, 'busy', 'The server is busy.')))
  renderPage(<ExplorePage project={curated} />, alice)
  expect(await screen.findByText('The map could not be loaded')).toBeVisible()
  expect(await screen.findByText('Harbour 12')).toBeVisible()
})

test('a browser that draws nothing is told so, and the table stays', async () => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  renderPage(<ExplorePage project={curated} />, alice)
  expect(await screen.findByText(/This browser cannot draw the map/)).toBeVisible()
  expect(await screen.findByText('Harbour 12')).toBeVisible()
})

test('a lasso takes images to the gallery, and is removed again', async () => {
  const { user } = renderPage(<ExplorePage project={harbour} />, bob)
  const box = await screen.findByRole('application')
  Object.assign(box, { setPointerCapture: () => undefined })
  await user.click(screen.getByRole('radio', { name: 'Box' }))
  pointer(box, 'pointerdown', 10, 10)
  pointer(box, 'pointermove', 490, 250)
  pointer(box, 'pointerup', 490, 250)
  expect(await screen.findByRole('link', { name: 'Show 2 images in the gallery' })).toHaveAttribute(
    'href',
    '/projects/harbour/images?images=12%2C14',
  )
  await user.click(screen.getByRole('button', { name: 'Remove the lasso' }))
  expect(screen.queryByRole('link', { name: /in the gallery/ })).not.toBeInTheDocument()
})

test('a column of the map colours the images, and is read only when somebody asks for it', async () => {
  let reads = 0
  server.use(
    http.get('*/api/v1/projects/:slug/map', () => HttpResponse.json({ map: captionMap, run: null })),
    http.get('*/api/v1/projects/:slug/map/points', () => HttpResponse.arrayBuffer(packed())),
    http.get('*/api/v1/projects/:slug/map/columns', () => {
      reads += 1
      return HttpResponse.json(columns)
    }),
  )
  const { user } = renderPage(<ExplorePage project={harbour} />, bob)
  const ask = await screen.findByRole('button', { name: 'Colour by data' })
  expect(reads).toBe(0)
  await user.click(ask)
  await user.click(await screen.findByRole('button', { name: /^Colour/ }))
  await user.click(await screen.findByRole('option', { name: 'Difficulty' }))
  const legend = await screen.findByRole('list', { name: 'Legend of the colours' })
  expect(within(legend).getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Hard1', 'No value3'])
  expect(reads).toBe(1)
})

test('without a map there is nothing to colour by', async () => {
  renderPage(<ExplorePage project={harbour} />, bob)
  expect(await screen.findByRole('radio', { name: 'Box' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Colour by data' })).not.toBeInTheDocument()
})

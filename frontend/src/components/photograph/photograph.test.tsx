import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { photograph } from '@/testing/data'
import { renderPage } from '@/testing/render-app'
import { Photograph, type PhotographHandle } from './photograph'

beforeEach(() => {
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(800)
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
  Element.prototype.setPointerCapture = () => undefined
})

async function show() {
  renderPage(<Photograph image={photograph} handle={{ current: null }} />)
  const photo = await screen.findByRole('img', { name: 'Photograph 1' })
  return { photo, frame: photo.parentElement ?? photo }
}

/** jsdom's pointer events carry no coordinates; mouse events do. */
function point(type: 'down' | 'move' | 'up', pointerId: number, clientX: number, frame: HTMLElement): void {
  const event = new MouseEvent(`pointer${type}`, { bubbles: true, cancelable: true, button: 0, clientX, clientY: 0 })
  fireEvent(frame, Object.assign(event, { pointerId }))
}

const zoom = () => screen.getByLabelText('Zoom').textContent

test('the large thumbnail is shown with the small one beneath it', async () => {
  const { photo } = await show()
  expect(photo).toHaveAttribute('src', '/media/large.webp')
  expect(photo.style.backgroundImage).toBe('url("/media/small.webp")')
})

test('the wheel zooms and keeps the page still', async () => {
  const { frame } = await show()
  const isLeftAlone = fireEvent.wheel(frame, { deltaY: -500 })
  expect(isLeftAlone).toBe(false)
  expect(zoom()).toBe('212%')
  fireEvent.wheel(frame, { deltaY: 5000 })
  expect(zoom()).toBe('100%')
})

test('an enlarged photograph follows the pointer while it is held', async () => {
  const { photo, frame } = await show()
  fireEvent.wheel(frame, { deltaY: -500 })
  const before = photo.style.transform
  point('move', 1, 40, frame)
  expect(photo.style.transform).toBe(before)
  point('down', 1, 0, frame)
  point('move', 1, 40, frame)
  expect(photo.style.transform).not.toBe(before)
})

test('two fingers pinch', async () => {
  const { frame } = await show()
  point('down', 1, 100, frame)
  point('down', 2, 200, frame)
  point('move', 2, 300, frame)
  expect(zoom()).toBe('200%')
  point('up', 2, 300, frame)
  point('move', 2, 400, frame)
  expect(zoom()).toBe('200%')
})

test('it fills the whole screen and goes back, where the browser can', async () => {
  const asked = vi.fn(() => Promise.resolve())
  const full = { element: null as Element | null }
  Object.defineProperty(document, 'fullscreenEnabled', { value: true, configurable: true })
  Object.defineProperty(document, 'fullscreenElement', { get: () => full.element, configurable: true })
  Element.prototype.requestFullscreen = function (this: Element) {
    full.element = this
    return asked()
  }
  document.exitFullscreen = () => {
    full.element = null
    return Promise.resolve()
  }
  const handle: { current: PhotographHandle | null } = { current: null }
  renderPage(<Photograph image={photograph} handle={handle} />)
  await screen.findByRole('img', { name: 'Photograph 1' })
  handle.current?.fullScreen()
  expect(full.element?.tagName).toBe('FIGURE')
  handle.current?.fullScreen()
  expect(full.element).toBeNull()
  expect(asked).toHaveBeenCalledOnce()
})

import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import { dismissToast, toastStore } from '@/components/ui/toast-store'
import { holdDrafts } from '@/features/annotate/state/server-drafts'
import { endWaiting } from '@/lib/session/ended-session'
import { clearShelves } from '@/lib/store/shelf'
import { server } from './server'

// What is waited for may take a while on a machine that does something else besides.
configure({
  asyncUtilTimeout: 5000,
  // A text is looked for where it is seen; what is said of it as well is asked for by its test id.
  defaultIgnore: 'script, style, [data-live-announcer] p',
})

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(async () => {
  cleanup()
  vi.useRealTimers()
  server.resetHandlers()
  localStorage.clear()
  // The next file may have the same modules, with what they hold.
  toastStore.snapshot().forEach(({ id }) => dismissToast(id))
  endWaiting(true)
  holdDrafts()
  await clearShelves()
})
afterAll(() => server.close())

// jsdom has no layout: scrolling and decoding are accepted and do nothing.
Element.prototype.scrollTo = () => undefined
window.scrollTo = () => undefined
Element.prototype.scrollIntoView = () => undefined
HTMLElement.prototype.showPopover = () => undefined
HTMLElement.prototype.hidePopover = () => undefined
HTMLImageElement.prototype.decode = () => Promise.resolve()
globalThis.ResizeObserver = class {
  observe = () => undefined
  unobserve = () => undefined
  disconnect = () => undefined
}
// In tests, every observed element counts as visible.
globalThis.IntersectionObserver = class {
  root = null
  rootMargin = ''
  scrollMargin = ''
  thresholds = []
  readonly #tell: IntersectionObserverCallback
  constructor(tell: IntersectionObserverCallback) {
    this.#tell = tell
  }
  observe = (target: Element) => {
    const entry = { target, isIntersecting: true } as unknown as IntersectionObserverEntry
    queueMicrotask(() => this.#tell([entry], this))
  }
  unobserve = () => undefined
  disconnect = () => undefined
  takeRecords = () => []
}

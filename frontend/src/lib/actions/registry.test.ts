import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Action } from './action'
import { ariaShortcuts, keyCap } from './keys'
import { ActionRegistry } from './registry'

let registry: ActionRegistry

beforeEach(() => {
  registry = new ActionRegistry()
  window.addEventListener('keydown', registry.handleKeyDown)
})

afterEach(() => {
  window.removeEventListener('keydown', registry.handleKeyDown)
  document.body.replaceChildren()
})

function good(changes: Partial<Action> = {}): Action & { perform: ReturnType<typeof vi.fn> } {
  const perform = vi.fn()
  return {
    id: 'judge.good',
    name: 'Judge good',
    label: 'Good',
    keys: ['1', 'g'],
    scope: 'annotate',
    ...changes,
    perform,
  }
}

function press(init: KeyboardEventInit, target: EventTarget = document.body): void {
  target.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }))
}

test('a key performs its action until the action is taken out', () => {
  const action = good()
  const remove = registry.register([action])
  press({ key: 'g' })
  remove()
  press({ key: 'g' })
  expect(action.perform).toHaveBeenCalledOnce()
})

test('letters are matched by what the layout types, not by where the key sits', () => {
  const action = good()
  registry.register([action])
  press({ key: 'i', code: 'KeyG' })
  press({ key: 'g', code: 'KeyU' })
  expect(action.perform).toHaveBeenCalledOnce()
})

test.each([
  ['French', '&', 'Digit1'],
  ['Czech', '+', 'Digit1'],
  ['Lithuanian', 'ą', 'Digit1'],
  ['number pad', '1', 'Numpad1'],
])('the digit printed on a %s key works without shift', (_, key, code) => {
  const action = good()
  registry.register([action])
  press({ key, code })
  expect(action.perform).toHaveBeenCalledOnce()
})

test('on a Dvorak keyboard G is where it types g', () => {
  const action = good()
  registry.register([action])
  press({ key: 'g', code: 'KeyU' })
  press({ key: '1', code: 'Digit1' })
  expect(action.perform).toHaveBeenCalledTimes(2)
})

test.each(['Process', 'Dead'])('a press that begins a word (%s) means nothing', (key) => {
  const action = good({ keys: [key] })
  registry.register([action])
  press({ key, code: 'Digit1' })
  expect(action.perform).not.toHaveBeenCalled()
})

test.each([
  ['Cyrillic', 'п'],
  ['Arabic', 'ل'],
  ['Greek', 'γ'],
])('a %s keyboard answers by the Latin letters on its keys', (_, key) => {
  const action = good()
  const palette = good({ id: 'palette.open', keys: ['Mod+g'], scope: 'global' })
  registry.register([action, palette])
  press({ key, code: 'KeyG' })
  expect(action.perform).toHaveBeenCalledOnce()
  press({ key, code: 'KeyG', ctrlKey: true })
  expect(palette.perform).toHaveBeenCalledOnce()
})

test('what is typed with Alt or AltGr is no key of the page, as little as a key of the browser', () => {
  const action = good()
  const palette = good({ id: 'palette.open', keys: ['Mod+k'], scope: 'global' })
  registry.register([action, palette])
  press({ key: '~', code: 'Digit1', modifierAltGraph: true })
  press({ key: 'g', code: 'KeyG', altKey: true })
  press({ key: 'k', code: 'KeyK', ctrlKey: true, altKey: true })
  press({ key: 'K', code: 'KeyK', ctrlKey: true, shiftKey: true })
  expect(action.perform).not.toHaveBeenCalled()
  expect(palette.perform).not.toHaveBeenCalled()
})

test('caps lock does not matter', () => {
  const action = good()
  registry.register([action])
  press({ key: 'G' })
  expect(action.perform).toHaveBeenCalledOnce()
})

test.each([{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { shiftKey: true }, { isComposing: true }])(
  'a letter with %o stays with the browser',
  (modifier) => {
    const action = good()
    registry.register([action])
    press({ key: 'g', ...modifier })
    expect(action.perform).not.toHaveBeenCalled()
  },
)

test.each(['input', 'textarea', 'select'])('keys rest while somebody types into a <%s>', (tag) => {
  const action = good()
  registry.register([action])
  const field = document.body.appendChild(document.createElement(tag))
  press({ key: 'g' }, field)
  expect(action.perform).not.toHaveBeenCalled()
})

test('Enter on a focused button belongs to the button', () => {
  const submit = good({ id: 'hit.submit', keys: ['Enter'] })
  registry.register([submit])
  press({ key: 'Enter' }, document.body.appendChild(document.createElement('button')))
  expect(submit.perform).not.toHaveBeenCalled()
  press({ key: 'Enter' })
  expect(submit.perform).toHaveBeenCalledOnce()
})

test('an action that makes no sense now leaves the key alone', () => {
  const action = good({ when: () => false })
  registry.register([action])
  const event = new KeyboardEvent('keydown', { key: 'g', bubbles: true, cancelable: true })
  document.body.dispatchEvent(event)
  expect(action.perform).not.toHaveBeenCalled()
  expect(event.defaultPrevented).toBe(false)
})

test('nothing under a modal hears keys until it closes', () => {
  const action = good()
  registry.register([action])
  const resume = registry.suspend()
  press({ key: 'g' })
  resume()
  press({ key: 'g' })
  expect(action.perform).toHaveBeenCalledOnce()
})

test('Ctrl K opens the palette and a plain k does not', () => {
  const palette = good({ id: 'palette.open', keys: ['Mod+k'] })
  registry.register([palette])
  press({ key: 'k' })
  press({ key: 'k', ctrlKey: true })
  press({ key: 'K', metaKey: true })
  expect(palette.perform).toHaveBeenCalledTimes(2)
})

test('shift with a letter is a key of its own, with caps lock or without', () => {
  const redo = good({ id: 'judge.redo', keys: ['Shift+z'] })
  registry.register([redo])
  press({ key: 'z' })
  press({ key: 'Z', shiftKey: true })
  press({ key: 'z', shiftKey: true })
  expect(redo.perform).toHaveBeenCalledTimes(2)
  expect([keyCap('Shift+z'), ariaShortcuts(['Shift+z'])]).toEqual(['Shift Z', 'Shift+Z'])
})

test('a key held down moves on and on and decides once', () => {
  const [decide, move] = [good({ decides: true }), good({ id: 'caption.next', keys: ['j'] })]
  registry.register([decide, move])
  for (const key of ['g', 'j']) {
    press({ key })
    press({ key, repeat: true })
    press({ key, repeat: true })
  }
  expect(decide.perform).toHaveBeenCalledOnce()
  expect(move.perform).toHaveBeenCalledTimes(3)
})

test('registering a key twice is refused', () => {
  registry.register([good()])
  expect(() => registry.register([good({ id: 'photo.grow' })])).toThrow('belongs to both')
})

test('keys are printed and announced by their names', () => {
  expect(['g', ' ', 'ArrowUp', 'Mod+k'].map(keyCap)).toEqual(['G', 'Space', '↑', 'Ctrl K'])
  expect(ariaShortcuts([' ', 'g', 'Mod+k'])).toBe('Space g Control+K')
  expect(['Shift+z', 'Shift+ArrowUp'].map(keyCap)).toEqual(['Shift Z', 'Shift ↑'])
  expect(ariaShortcuts(['Shift+z', 'Shift+ArrowUp'])).toBe('Shift+Z Shift+ArrowUp')
  expect(ariaShortcuts([])).toBeUndefined()
})

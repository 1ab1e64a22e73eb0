import { t } from '@/messages/common'

const keyNames: Record<string, string> = {
  ' ': t.keySpace,
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: 'Enter',
  Escape: 'Esc',
}

// As ARIA spells them, in every language.
const ariaNames: Record<string, string> = { ' ': 'Space', '+': 'Plus' }

/** How a key is printed on a key cap. */
export function keyCap(key: string): string {
  if (key.startsWith('Mod+')) return t.keyCtrl({ key: key.slice(4).toUpperCase() })
  if (key.startsWith('Shift+')) return t.keyShift({ key: keyCap(key.slice(6)) })
  return keyNames[key] ?? printed(key)
}

/** The value of aria-keyshortcuts for these keys. */
export function ariaShortcuts(keys: readonly string[]): string | undefined {
  if (keys.length === 0) return undefined
  return keys.map(ariaName).join(' ')
}

const printed = (key: string): string => (key.length === 1 ? key.toUpperCase() : key)

function ariaName(key: string): string {
  if (key.startsWith('Mod+')) return `Control+${key.slice(4).toUpperCase()}`
  if (key.startsWith('Shift+')) return `Shift+${printed(key.slice(6))}`
  return ariaNames[key] ?? key
}

/** An input method is at work: the press, and the Enter that ends it, are part of a word. */
export const isComposing = ({ isComposing: is, key }: KeyboardEvent): boolean =>
  is || key === 'Process' || key === 'Dead'

const isLetter = (key: string) => key.length === 1 && key.toLowerCase() !== key.toUpperCase()

const isArrow = (key: string) => key.startsWith('Arrow')

/**
 * The names this press may be known by: what the layout types, the digit printed on a French key, and the Latin letter
 * that shares a key with an Arabic, Cyrillic or Greek one.
 */
export function pressedKeys(event: KeyboardEvent): string[] {
  if (event.altKey || event.getModifierState('AltGraph')) return []
  const typed = event.key.length === 1 ? event.key.toLowerCase() : event.key
  const letter = latinOf(event)
  if (event.ctrlKey || event.metaKey) return typed.length === 1 && !event.shiftKey ? [`Mod+${letter ?? typed}`] : []
  if (event.shiftKey && (isLetter(event.key) || isArrow(event.key))) return [`Shift+${letter ?? typed}`]
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1]
  const other = letter ?? (event.shiftKey ? undefined : digit)
  return other && other !== typed ? [typed, other] : [typed]
}

/** The letter of a Latin keyboard in the place of this key, where the layout types another script. */
function latinOf({ key, code }: KeyboardEvent): string | undefined {
  return /^[^\p{Script=Latin}\P{L}]+$/u.test(key) ? /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() : undefined
}

const typingTypes = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'range', 'color', 'file', 'image'])

/** Whether a press at this element is somebody writing. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !typingTypes.has(target.type)
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable
}

const pressable =
  'button, a[href], summary, [role="button"], [role="menuitem"], [role="option"], [role="tab"], [role="row"]'

/** Enter and Space on a focused control belong to that control. */
export function belongsToControl(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' && event.key !== ' ') return false
  return event.target instanceof Element && event.target.closest(pressable) !== null
}

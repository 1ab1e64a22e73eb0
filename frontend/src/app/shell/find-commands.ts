import type { Action } from '@/lib/actions/action'

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * How well a name answers to what was typed: 0 where it begins with it, 1 where a word does, 2 where it stands
 * somewhere, 3 where its letters come in that order, null where they do not.
 */
export function closeness(name: string, typed: string): number | null {
  const [there, wanted] = [plain(name), plain(typed.trim())]
  if (there.startsWith(wanted)) return 0
  if (there.includes(` ${wanted}`)) return 1
  if (there.includes(wanted)) return 2
  let at = 0
  for (const letter of wanted.replaceAll(' ', '')) {
    at = there.indexOf(letter, at) + 1
    if (at === 0) return null
  }
  return 3
}

/** The verbs that answer to what was typed: the closest first, and of equally close ones those used last. */
export function findCommands(actions: readonly Action[], typed: string, recent: readonly string[]): Action[] {
  const lateness = ({ id }: Action) => (recent.includes(id) ? recent.indexOf(id) : recent.length)
  return actions
    .flatMap((action) => {
      const close = closeness(action.name, typed)
      return close === null ? [] : [{ action, close }]
    })
    .sort((a, b) => a.close - b.close || lateness(a.action) - lateness(b.action))
    .map(({ action }) => action)
}

const storageKey = 'connote.commands'
const nKept = 8

/** The verbs performed from the palette in this browser, the newest first. */
export function readRecent(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

/** Where the browser keeps nothing the list stays in its usual order. */
export function noteRecent(id: string): void {
  try {
    const others = readRecent().filter((other) => other !== id)
    localStorage.setItem(storageKey, JSON.stringify([id, ...others].slice(0, nKept)))
  } catch {
    return
  }
}

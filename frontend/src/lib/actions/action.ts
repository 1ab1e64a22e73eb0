/** Every verb of the interface is one Action; buttons, aria-keyshortcuts, the help sheet and the palette read it. */

/** `global` is alive on every page; every other scope is one page's name. */
export type Scope = 'global' | 'annotate' | (string & {})

/** What is fixed about an action, known before any page is open. */
export interface ActionSpec {
  /** Stable name, also the key of the person's preference: "judge.good". */
  id: string
  /** The full sentence of the help sheet and the palette: "Judge the caption good". */
  name: string
  /** The short word on a button: "Good". */
  label: string
  /** Keys by `event.key`, lower case; the first may be replaced by the person's own. "Mod+k" is Ctrl or Cmd. */
  keys: readonly string[]
  scope: Scope
  /** Whether it decides something: as long as its key is held down, once. */
  decides?: boolean
}

export interface Action extends ActionSpec {
  /** Whether the verb makes sense right now; always, when left out. */
  when?: () => boolean
  perform: () => void
}

/** The verbs of one page under its name, as the person reads it. */
export interface PageOfActions {
  page: string
  actions: readonly ActionSpec[]
}

export class SharedKeyError extends Error {
  constructor(key: string, first: string, second: string) {
    super(`The key "${key}" belongs to both "${first}" and "${second}".`)
    this.name = 'SharedKeyError'
  }
}

/** Two scopes are alive together when they are the same or one of them is global. */
export function meet(a: Scope, b: Scope): boolean {
  return a === b || a === 'global' || b === 'global'
}

/** Throws when two actions that can be alive together own the same key. */
export function assertNoSharedKeys(actions: readonly ActionSpec[]): void {
  const owners = new Map<string, ActionSpec[]>()
  for (const action of actions) {
    for (const key of action.keys) {
      const rival = owners.get(key)?.find((owner) => owner.id !== action.id && meet(owner.scope, action.scope))
      if (rival) throw new SharedKeyError(key, rival.id, action.id)
      owners.set(key, [...(owners.get(key) ?? []), action])
    }
  }
}

/**
 * A key the person chose replaces the action's first key and is taken away from every other action of these. What was
 * chosen for a verb of another page counts there.
 */
export function withPreferredKeys<Spec extends ActionSpec>(
  actions: readonly Spec[],
  preferred: Readonly<Record<string, string>>,
): Spec[] {
  const mine = actions.filter(({ id }) => preferred[id] !== undefined)
  const claimed = new Map(mine.map(({ id }) => [normaliseKey(preferred[id] ?? ''), id]))
  return actions.map((action) => {
    const own = preferred[action.id]
    const keys = own === undefined ? action.keys : [normaliseKey(own), ...action.keys.slice(1)]
    return { ...action, keys: [...new Set(keys)].filter((key) => (claimed.get(key) ?? action.id) === action.id) }
  })
}

/** Preferences name the space bar "Space"; `event.key` names it " ". Letters compare in lower case. */
export function normaliseKey(key: string): string {
  if (key === 'Space') return ' '
  return key.length === 1 ? key.toLowerCase() : key
}

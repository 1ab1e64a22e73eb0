import { type ActionSpec, meet, normaliseKey, withPreferredKeys } from '@/lib/actions/action'
import { keyCap } from '@/lib/actions/keys'
import { inSentence } from '@/lib/language/language'
import { t } from '@/messages/people'

export type KeyChoice = { keys: Record<string, string> } | { refusal: string }

const namedKeys = new Set(['Enter', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Backspace', ' '])
const keptByBrowsers = new Set(['Tab', 'Escape'])

const isKey = (key: string): boolean =>
  namedKeys.has(key) || /^[^\s\p{C}\p{M}]$/u.test(key) || /^Shift\+\p{Ll}$/u.test(key)

const nameOf = ({ name }: ActionSpec): string => inSentence(name.charAt(0)) + name.slice(1)

/**
 * The person's keys after giving `id` the key that was pressed, or the sentence that says why not. `actions` are all
 * verbs of all pages, fixed keys included: a key that means something already where `id` is at hand is never taken
 * over in silence. `pressed` holds every name of the press: on a French keyboard "&" is the "1" as well.
 */
export function chooseKey(
  actions: readonly ActionSpec[],
  preferred: Readonly<Record<string, string>>,
  id: string,
  pressed: readonly string[],
): KeyChoice {
  const [key = ''] = pressed
  const verb = actions.find((action) => action.id === id)
  if (!verb) return { refusal: t.keyNotUsable({ pressed: keyCap(key) }) }
  if (keptByBrowsers.has(key) || key.startsWith('Mod+')) return { refusal: t.keyOfBrowser({ key: keyCap(key) }) }
  if (!isKey(key)) return { refusal: t.keyNotUsable({ pressed: keyCap(key) }) }
  const rest = withoutKey(preferred, id)
  const owner = ownerOf(actions, rest, verb, pressed)
  if (owner) return { refusal: t.keyTaken({ key: keyCap(key), owner: nameOf(owner) }) }
  return { keys: key === verb.keys[0] ? rest : { ...rest, [id]: key === ' ' ? 'Space' : normaliseKey(key) } }
}

/** The keys as they are when this verb has its usual one again, or the sentence that says who has that by now. */
export function restoreKey(
  actions: readonly ActionSpec[],
  preferred: Readonly<Record<string, string>>,
  id: string,
): KeyChoice {
  const verb = actions.find((action) => action.id === id)
  const rest = withoutKey(preferred, id)
  const owner = verb?.keys[0] && ownerOf(actions, rest, verb, [verb.keys[0]])
  if (!owner) return { keys: rest }
  return { refusal: t.keyTaken({ key: keyCap(verb.keys[0] ?? ''), owner: nameOf(owner) }) }
}

const withoutKey = (preferred: Readonly<Record<string, string>>, id: string): Record<string, string> =>
  Object.fromEntries(Object.entries(preferred).filter(([action]) => action !== id))

const ownerOf = (
  actions: readonly ActionSpec[],
  preferred: Readonly<Record<string, string>>,
  verb: ActionSpec,
  pressed: readonly string[],
): ActionSpec | undefined =>
  actions
    .filter((action) => action.id !== verb.id && meet(action.scope, verb.scope))
    .flatMap((action) => withPreferredKeys([action], preferred))
    .find((action) => action.keys.some((key) => pressed.includes(key)))

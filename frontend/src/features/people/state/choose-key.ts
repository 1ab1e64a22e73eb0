import { type ActionSpec, normaliseKey, withPreferredKeys } from '@/lib/actions/action'
import { keyCap } from '@/lib/actions/keys'
import { inSentence } from '@/lib/language/language'
import { t } from '@/messages/people'

/** The verbs the server lets a person give another key. */
const remappable = new Set([
  'judge.good',
  'judge.bad',
  'judge.unsure',
  'hit.submit',
  'caption.next',
  'caption.previous',
  'judge.undo',
])
const namedKeys = new Set(['Enter', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Backspace', 'Space'])

export type KeyChoice = { keys: Record<string, string> } | { refusal: string }

export const remappableOf = (actions: readonly ActionSpec[]): ActionSpec[] =>
  actions.filter((action) => remappable.has(action.id))

const spell = (pressed: string): string => (pressed === ' ' ? 'Space' : normaliseKey(pressed))

const isKey = (key: string): boolean => namedKeys.has(key) || /^[^\s\p{C}\p{M}]$/u.test(key)

const nameOf = ({ name }: ActionSpec): string => inSentence(name.charAt(0)) + name.slice(1)

/**
 * The person's keys after giving `id` the key that was pressed, or the sentence that says why not. `actions` are all
 * verbs alive on the page, fixed keys included: a key that means something already is never taken over in silence.
 */
export function chooseKey(
  actions: readonly ActionSpec[],
  preferred: Readonly<Record<string, string>>,
  id: string,
  pressed: string,
): KeyChoice {
  const key = spell(pressed)
  if (!isKey(key)) {
    return {
      refusal: t.keyNotUsable({ pressed }),
    }
  }
  const rest = Object.fromEntries(Object.entries(preferred).filter(([action]) => action !== id))
  const owner = withPreferredKeys(actions, rest).find(
    (action) => action.id !== id && action.keys.includes(normaliseKey(key)),
  )
  if (owner) {
    return {
      refusal: t.keyTaken({ key: keyCap(normaliseKey(key)), owner: nameOf(owner) }),
    }
  }
  const standard = actions.find((action) => action.id === id)?.keys[0]
  return { keys: normaliseKey(key) === standard ? rest : { ...rest, [id]: key } }
}

import type { Said } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { language, locale } from './language'
import type { Message, Messages, SaidAll } from './message'

type Filling = Readonly<Record<string, string | number>>

const plurals = new Intl.PluralRules(locale)
const translated = new Map<string, Messages>()

/** Takes in the sentences of these rooms; before the room's own code is loaded, which reads them as it starts. */
export function learn(rooms: Readonly<Record<string, Messages>>): void {
  for (const [room, messages] of Object.entries(rooms)) translated.set(room, messages)
}

// What every page says is here before any page is: a module that imports this one waits for it. English has no wait.
const german = language === 'de' ? await import('@/messages/de/core') : null
if (german) learn(german.core)
let refusals: Readonly<Record<string, string>> = german?.refusals ?? {}

/**
 * A sentence of the server in the language of the page: the template of its code, filled with its values. It stays
 * English where the code has no template, or the server did not send a value that the template needs.
 */
export function inOurLanguage(code: string, params: Readonly<Record<string, unknown>> | null, said: string): string {
  const template = refusals[code]
  if (template === undefined) return said
  const values: Record<string, string | number> = {}
  for (const [, name = ''] of template.matchAll(/\{(\w+)\}/g)) {
    const value = params?.[name]
    if (typeof value !== 'string' && typeof value !== 'number') return said
    values[name] = value
  }
  return fill(template, values)
}

/** The same of a sentence with its code and values. */
export const say = ({ code, params, message }: Said): string => inOurLanguage(code, params, message)

/**
 * A page of those who run a project: its sentences come before its code, which reads them as it starts. They are no
 * part of what an annotator loads.
 */
export function atDesk<Page>(load: () => Promise<Page>): () => Promise<Page> {
  return async () => {
    if (language === 'de') {
      const { desk, deskRefusals } = await import('@/messages/de/desk')
      learn(desk)
      refusals = { ...refusals, ...deskRefusals }
    }
    return load()
  }
}

/** A room's sentences in the language of the page. Throws when the room's translation was not loaded before it. */
export function catalogue<const English extends Messages>(room: string, english: English): SaidAll<English> {
  const spoken = language === 'en' ? english : translated.get(room)
  if (!spoken) throw new Error(`The ${language} sentences of "${room}" were not loaded before the room itself.`)
  // The shape is the English one: Translation<English> and the tests of the catalogue see to it.
  return Object.fromEntries(Object.entries(spoken).map(([key, message]) => [key, sayable(message)])) as SaidAll<English>
}

function sayable(message: Message): string | ((values: Filling) => string) {
  if (typeof message !== 'string') return (values) => fill(formFor(message, values), values)
  return message.includes('{') ? (values: Filling) => fill(message, values) : message
}

function formFor(message: Exclude<Message, string>, values: Filling): string {
  return plurals.select(Number(values[message.by])) === 'one' ? message.one : message.other
}

function fill(text: string, values: Filling): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? ''
    return typeof value === 'number' ? formatCount(value) : value
  })
}

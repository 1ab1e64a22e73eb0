import { afterEach, expect, test, vi } from 'vitest'
import type { Forms, Message, Messages } from '@/lib/language/message'
import { core } from './de/core'
import { desk } from './de/desk'

const english = import.meta.glob<{ english: Messages }>('./en/*.ts', { eager: true })
/** A room with much to say has a file for each of its parts, in a folder of the room's name. */
const parts = import.meta.glob<{ english: Messages }>('./en/*/*.ts', { eager: true })
const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*'], {
  query: '?raw',
  import: 'default',
  eager: true,
})
const routes = import.meta.glob('../app/routes/*.tsx')

/** Every room by the name its file has: "past-work". */
const rooms = Object.entries(english).map(
  ([path, module]) => [/([\w-]+)\.ts$/.exec(path)?.[1] ?? path, module.english] as const,
)

const partKeysOf = (room: string): string[] =>
  Object.entries(parts).flatMap(([path, part]) => (path.includes(`/${room}/`) ? Object.keys(part.english) : []))
const divided = rooms.filter(([room]) => partKeysOf(room).length > 0)

const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const german: Readonly<Record<string, Messages>> = { ...core, ...desk }
const germanOf = (room: string): Messages => german[camel(room)] ?? {}

const formsOf = (message: Message): string[] => (typeof message === 'string' ? [message] : [message.one, message.other])
const places = (message: Message): string[] =>
  [...new Set(formsOf(message).flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort()
const isForms = (message: Message): message is Forms => typeof message !== 'string'

/** The keys that the code says of this room, under whatever name it took the catalogue in. */
function saidOf(room: string): Set<string> {
  const taken = new RegExp(
    `import \\{[^}]*\\bt(?: as (\\w+))?[^}]*\\} from '(?:@/messages|\\.\\.?(?:/\\.\\.)*(?:/messages)?)/${room}'`,
  )
  const keys = Object.values(sources).flatMap((source) => {
    const found = taken.exec(source)
    if (!found) return []
    return [...source.matchAll(new RegExp(`\\b${found[1] ?? 't'}\\s*\\.(\\w+)`, 'g'))].map(([, key]) => key ?? '')
  })
  return new Set(keys)
}

afterEach(() => localStorage.clear())

test('each room speaks German, and no room but these', () => {
  expect(Object.keys(german).sort()).toEqual(rooms.map(([room]) => camel(room)).sort())
  expect(Object.keys(core).filter((room) => room in desk)).toEqual([])
})

test.each(divided)('the parts of %s are all of it, and no two have a sentence of the same name', (room, messages) => {
  expect(partKeysOf(room).sort()).toEqual(Object.keys(messages).sort())
})

test.each(rooms)('%s has the same sentences in both languages, none empty', (room, messages) => {
  expect(Object.keys(germanOf(room)).sort()).toEqual(Object.keys(messages).sort())
  const all = [...Object.values(messages), ...Object.values(germanOf(room))].flatMap(formsOf)
  expect(all.filter((form) => form.trim() === '')).toEqual([])
})

test.each(rooms)('the sentences of %s have the same places to fill in both languages', (room, messages) => {
  const wrong = Object.entries(messages).filter(([key, message]) => {
    const other = germanOf(room)[key] ?? ''
    const by = (each: Message) => (isForms(each) ? each.by : null)
    return by(other) !== by(message) || places(other).join() !== places(message).join()
  })
  expect(wrong.map(([key]) => key)).toEqual([])
})

test.each(rooms)('every sentence of %s is said somewhere', (room, messages) => {
  const said = saidOf(room)
  expect(Object.keys(messages).filter((key) => !said.has(key))).toEqual([])
})

test('German quotes as German does, and has no space before a percent sign that could break', () => {
  const all = Object.values(german).flatMap((messages) => Object.values(messages).flatMap(formsOf))
  expect(all.filter((form) => /["”]|\d %|\} %/.test(form))).toEqual([])
})

test(
  'in German every page finds its sentences, those of annotators without the desk’s',
  { timeout: 60_000 },
  async () => {
    localStorage.setItem('connote.language', 'de')
    vi.resetModules()
    const { learn } = await import('@/lib/language/catalogue')
    const files = ['router.tsx', 'curation-routes.ts', 'settings-routes.ts', 'visitor-routes.ts']
    const router = files.map((file) => sources[`../app/${file}`]).join()
    const isOfDesk = (path: string) => new RegExp(`atDesk\\(\\(\\) => import\\('./routes/${nameOf(path)}'`).test(router)
    const paths = Object.keys(routes)
    expect(paths.filter(isOfDesk).length).toBeGreaterThan(5)
    for (const path of paths.filter((each) => !isOfDesk(each))) await routes[path]?.()
    learn(desk)
    for (const path of paths.filter(isOfDesk)) await routes[path]?.()
  },
)

const nameOf = (path: string): string => /([\w-]+)\.tsx$/.exec(path)?.[1] ?? path

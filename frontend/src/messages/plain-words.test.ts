import { expect, test } from 'vitest'
import type { Message, Messages } from '@/lib/language/message'
import banned from './banned-words.json'

const longest = 15
const languages = ['en', 'de'] as const
type Language = (typeof languages)[number]

const files = import.meta.glob<Record<string, Messages>>(['./{en,de}/*.ts', './de/*/*.ts', './en/*/*.ts'], {
  eager: true,
})
/** What the server says, by its codes. */
const server = import.meta.glob<Messages>('./de/*.json', { eager: true, import: 'default' })

interface Sentence {
  key: string
  language: Language
  text: string
}

const formsOf = (message: Message): string[] => (typeof message === 'string' ? [message] : [message.one, message.other])

const sentencesOf = (text: string): string[] => text.split(/[.!?:]+(?=[\s”“)]|$)|\n/).filter((each) => each.trim())

/** These put rooms together, which have files of their own. */
const collections = ['de/core', 'de/desk']

const nameOf = (path: string): string => /^\.\/([a-z]+\/[\w-]+)/.exec(path)?.[1] ?? path
const rooms: readonly (readonly [string, Messages])[] = [
  ...Object.entries(files)
    .filter(([path]) => !collections.includes(nameOf(path)))
    .flatMap(([path, module]) => Object.values(module).map((messages) => [path, messages] as const)),
  ...Object.entries(server),
]

const said: Sentence[] = rooms.flatMap(([path, messages]) =>
  Object.entries(messages).flatMap(([key, message]) =>
    formsOf(message).map((text) => ({
      key: `${nameOf(path)} ${key}`,
      language: path.startsWith('./de') ? ('de' as const) : ('en' as const),
      text,
    })),
  ),
)

/** A word written small is found however it is written; one written large, as German nouns are, only so. */
const patternOf = (word: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_-])${word}(?![\\p{L}\\p{N}_-])`, word === word.toLowerCase() ? 'iu' : 'u')

const patterns = Object.fromEntries(
  languages.map((language) => [
    language,
    Object.entries(banned[language]).map(([word, instead]) => ({ word, instead, pattern: patternOf(word) })),
  ]),
)

test('there are sentences of each language', () => {
  for (const language of languages)
    expect(said.filter((each) => each.language === language).length).toBeGreaterThan(400)
})

test('no sentence has a word of the list in banned-words.json', () => {
  const found = said.flatMap(({ key, language, text }) => {
    const words = text.replaceAll(/\{\w+\}/g, '')
    return (patterns[language] ?? [])
      .filter(({ pattern }) => pattern.test(words))
      .map(({ word, instead }) => `${key}: “${text}” says “${word}”; say “${instead}”`)
  })
  expect(found).toEqual([])
})

test(`no sentence has more than ${longest} words`, () => {
  const long = said.flatMap(({ key, text }) =>
    sentencesOf(text).flatMap((sentence) => {
      const n = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}{]/u.test(word)).length
      return n > longest ? [`${key}: “${sentence.trim()}” has ${n} words; split it`] : []
    }),
  )
  expect(long).toEqual([])
})

import { expect, test } from 'vitest'
import type { Message, Messages } from '@/lib/language/message'
import banned from './banned-words.json'

const longest = 15
const languages = ['en', 'de'] as const
type Language = (typeof languages)[number]

/** Their words are put in order separately. */
const later = ['refusals', 'desk-refusals']

/** Words that one sentence needs, with the reason. A row that no sentence needs any more fails. */
const exceptions: readonly { sentence: string; word: string; reason: string }[] = []

const files = import.meta.glob<Record<string, Messages>>(['./{en,de}/*.ts', './de/*/*.ts', './en/*/*.ts'], {
  eager: true,
})

interface Sentence {
  key: string
  language: Language
  text: string
}

const formsOf = (message: Message): string[] => (typeof message === 'string' ? [message] : [message.one, message.other])

const sentencesOf = (text: string): string[] => text.split(/[.!?:]+(?=[\s”“)]|$)|\n/).filter((each) => each.trim())

/** These put rooms together, which have files of their own. */
const collections = ['core', 'desk']

const said: Sentence[] = Object.entries(files).flatMap(([path, module]) => {
  const [, language, room = ''] = /^\.\/(en|de)\/([\w-]+)/.exec(path) ?? []
  if ([...collections, ...later].includes(room)) return []
  return Object.values(module).flatMap((messages) =>
    Object.entries(messages).flatMap(([key, message]) =>
      formsOf(message).map((text) => ({ key: `${language}/${room} ${key}`, language: language as Language, text })),
    ),
  )
})

/** A word written small is found however it is written; one written large, as German nouns are, only so. */
const patternOf = (word: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_-])${word}(?![\\p{L}\\p{N}_-])`, word === word.toLowerCase() ? 'iu' : 'u')

const patterns = Object.fromEntries(
  languages.map((language) => [
    language,
    Object.entries(banned[language]).map(([word, instead]) => ({ word, instead, pattern: patternOf(word) })),
  ]),
)

const isAllowed = (key: string, word: string): boolean =>
  exceptions.some((each) => each.sentence === key && each.word === word)

const findings = said.flatMap(({ key, language, text }) => {
  const words = text.replaceAll(/\{\w+\}/g, '')
  return (patterns[language] ?? [])
    .filter(({ pattern }) => pattern.test(words))
    .map(({ word, instead }) => ({ key, word, text: `${key}: “${text}” says “${word}”; say “${instead}”` }))
})

test('there are sentences of each language', () => {
  for (const language of languages)
    expect(said.filter((each) => each.language === language).length).toBeGreaterThan(400)
})

test('no sentence has a word of the list in banned-words.json', () => {
  expect(findings.filter(({ key, word }) => !isAllowed(key, word)).map(({ text }) => text)).toEqual([])
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

test('every exception is needed', () => {
  const needed = (sentence: string, word: string) =>
    findings.some((each) => each.key === sentence && each.word === word)
  expect(exceptions.filter(({ sentence, word }) => !needed(sentence, word))).toEqual([])
})

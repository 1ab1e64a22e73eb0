/** The language this page speaks: the person's choice, else the first of the browser's that there is a catalogue for. */

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]
export const languageChoices = ['system', ...languages] as const
export type LanguageChoice = (typeof languageChoices)[number]

const storageKey = 'connote.language'
const rightToLeft: readonly string[] = ['ar', 'fa', 'he', 'ur']
// English as it is written in Britain: the day before the month, as everywhere else on the site.
const locales: Record<Language, string> = { en: 'en-GB', de: 'de-DE' }

export function storedChoice(): LanguageChoice {
  try {
    const stored = localStorage.getItem(storageKey)
    return languageChoices.find((choice) => choice === stored) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Keeps the choice for the next page; false where the browser keeps nothing. */
export function storeChoice(choice: LanguageChoice): boolean {
  try {
    localStorage.setItem(storageKey, choice)
  } catch {
    return false
  }
  return storedChoice() === choice
}

/** "de-AT" asks for German; a browser that speaks none of ours gets English. */
export function languageFor(choice: LanguageChoice, wanted: readonly string[] = navigator.languages): Language {
  if (choice !== 'system') return choice
  const bases = wanted.map((tag) => tag.split('-')[0])
  return bases.flatMap((base) => languages.filter((language) => language === base))[0] ?? 'en'
}

export const directionOf = (tag: string): 'ltr' | 'rtl' =>
  rightToLeft.includes(tag.split('-')[0] ?? tag) ? 'rtl' : 'ltr'

/** Settled once a page: a sentence that was put together in one language is never finished in another. */
export const language = languageFor(storedChoice())

/** What Intl is asked for: numbers, dates and plurals of that language. */
export const locale = locales[language]

/** A title's words inside a sentence: English writes them small, German keeps its nouns as they are. */
export const inSentence = (title: string): string => (language === 'en' ? title.toLowerCase() : title)

/** Which way this page is read: as its <html> says already, else as its language is. */
export const direction = document.documentElement.dir === 'rtl' ? 'rtl' : directionOf(language)

/** Tells the browser, and through it screen readers and hyphenation, what is spoken here. */
export function announceLanguage(root: HTMLElement = document.documentElement): void {
  root.lang = language
  root.dir = direction
}

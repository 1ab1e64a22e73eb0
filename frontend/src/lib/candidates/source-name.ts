import { t } from '@/messages/sources'

const names: Readonly<Record<string, string>> = {
  human: t.people,
  corpus: t.corpus,
  web: t.web,
  other_image: t.others,
  query: t.queries,
}

/** A code of the server as words: "alt_text" is "Alt text". */
export const withoutUnderscores = (code: string): string => {
  const plain = code.replaceAll('_', ' ')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

/** Where captions come from, in words; a source that this page has not heard of speaks for itself. */
export const sourceName = (code: string): string => names[code] ?? withoutUnderscores(code)

import type { Candidate } from '@/lib/api/served'
import { inSentence } from '@/lib/language/language'
import { t } from '@/messages/candidates'

export type Suggestion = Candidate['suggestions'][number]

export const suggestedKinds = ['person', 'location', 'number', 'color', 'object_name'] as const

const kindNames: Record<string, string> = {
  person: t.kindPerson,
  location: t.kindPlace,
  number: t.kindNumber,
  color: t.kindColour,
  object_name: t.kindThing,
}

/** A kind of edit in words; one that this page has not heard of speaks for itself. */
export const kindName = (kind: string): string => kindNames[kind] ?? kind.replaceAll('_', ' ')

/** The names of several, in the middle of a sentence. */
const severalNames: Record<string, string> = {
  person: t.severalPersons,
  location: t.severalPlaces,
  number: t.severalNumbers,
  color: t.severalColours,
  object_name: t.severalThings,
}

const severalOf = (kind: string): string => severalNames[kind] ?? inSentence(kindName(kind))

/** A run of a text with the kinds of edit that are suggested for it; none for what lies between suggestions. */
export interface Segment {
  text: string
  kinds: readonly string[]
}

interface Span {
  start: number
  end: number
  kind: string
}

/**
 * `text` up to `until`, cut where suggestions begin and end. Two may share words, so a run may have several kinds.
 * Places come in code points; a string here counts an emoji as two or more. One that does not find what it says in the
 * text is of another text, and is left out.
 */
export function segments(text: string, suggestions: readonly Suggestion[], until = text.length): Segment[] {
  const spans = spansIn(text, suggestions)
  const ends = spans.flatMap(({ start, end }) => [start, end]).filter((at) => at < until)
  const cuts = [...new Set([0, ...ends, until])].sort((a, b) => a - b)
  return cuts.slice(0, -1).map((from, place) => {
    const over = spans.filter(({ start, end }) => start <= from && from < end)
    return { text: text.slice(from, cuts[place + 1]), kinds: [...new Set(over.map(({ kind }) => kind))] }
  })
}

function spansIn(text: string, suggestions: readonly Suggestion[]): Span[] {
  const unitOf = unitsAt(
    text,
    suggestions.flatMap(({ start, end }) => [start, end]),
  )
  return suggestions
    .map(({ start, end, kind, before }) => ({ start: unitOf(start), end: unitOf(end), kind, before }))
    .filter(({ start, end, before }) => start < end && text.slice(start, end) === before)
}

/** Where in the string these code points are; one walk along the text, however many are asked for. */
function unitsAt(text: string, points: readonly number[]): (point: number) => number {
  const found = new Map<number, number>()
  let [point, unit] = [0, 0]
  for (const next of [...new Set(points)].sort((a, b) => a - b)) {
    for (; point < next && unit < text.length; point += 1) unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1
    found.set(next, unit)
  }
  return (asked) => found.get(asked) ?? 0
}

/** "person, 2 numbers": the kinds that are suggested, in the order they first come. */
export function kindsInWords(suggestions: readonly Suggestion[]): string {
  const counts = new Map<string, number>()
  for (const { kind } of suggestions) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts]
    .map(([kind, count]) => (count > 1 ? `${count} ${severalOf(kind)}` : inSentence(kindName(kind))))
    .join(', ')
}

import type { MapColumnValues } from '@/lib/api/served'
import { sourceName } from '@/lib/candidates/source-name'
import { formatCount, formatTwoFigures } from '@/lib/format/numbers'
import { t } from '@/messages/caption-map'

export type ColumnName = MapColumnValues['name'] | 'group'

/** How an entry is drawn: a colour of its own, a step of the scale from low to high, or grey. */
export type Tint = { colour: number } | { share: number } | 'other' | 'none'

export interface Entry {
  /** As a file has it. */
  value: string
  label: string
  tint: Tint
  /** Points that have it, on the whole map. */
  n: number
}

/** One of a few entries for each point. The last entry is that of points without a value. */
export interface Column {
  name: ColumnName
  label: string
  entries: readonly Entry[]
  codes: Uint16Array
  /** The value of a point as a file has it; empty where it has none. */
  valueOf: (index: number) => string
}

export const nColours = 7
const nBins = 5

const names: Readonly<Record<ColumnName, string>> = {
  difficulty: t.difficulty,
  entropy: t.disagreement,
  status: t.selection,
  licence: t.licence,
  captions: t.captions,
  label: t.consensus,
  source: t.source,
  votes: t.answers,
  selection: t.chosenColumn,
  good: t.goodCaptions,
  group: t.group,
}

const words: Readonly<Record<string, string>> = {
  easy: t.easy,
  medium: t.medium,
  hard: t.hard,
  unrated: t.unrated,
  good: t.good,
  bad: t.bad,
  unsure: t.unsure,
  tied: t.tied,
  selected: t.selected,
  short_pool: t.shortPool,
  chosen: t.chosen,
  not_chosen: t.notChosen,
}

const ordered: Readonly<Partial<Record<ColumnName, readonly string[]>>> = { difficulty: ['easy', 'medium', 'hard'] }

/** Captions come from people or the web, images from a site: its address stays as it is. */
const labelOf = (name: ColumnName, value: string) =>
  name === 'source' && !value.includes('.') ? sourceName(value) : (words[value] ?? value)

function tintOf(name: ColumnName, value: string, place: number): Tint {
  const steps = ordered[name]
  if (steps) return steps.includes(value) ? { share: steps.indexOf(value) / (steps.length - 1) } : 'other'
  return place < nColours ? { colour: place } : 'other'
}

const none = (n: number): Entry => ({ value: '', label: t.noValue, tint: 'none', n })

/** Counts the codes, and puts those without a value into an entry behind the others. */
function columnOf(
  name: ColumnName,
  entries: readonly Omit<Entry, 'n'>[],
  codes: Uint16Array,
  valueOf?: Column['valueOf'],
) {
  const counts = new Uint32Array(entries.length + 1)
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1
  const all = [...entries.map((entry, code) => ({ ...entry, n: counts[code] ?? 0 })), none(counts.at(-1) ?? 0)]
  return {
    name,
    label: names[name],
    entries: all,
    codes,
    valueOf: valueOf ?? ((index: number) => all[codes[index] ?? -1]?.value ?? ''),
  }
}

/** A column of categories: -1 stands for no value. */
export function categoryColumn(name: ColumnName, values: readonly string[], codes: readonly number[]): Column {
  const entries = values.map((value, place) => ({
    value,
    label: labelOf(name, value),
    tint: tintOf(name, value, place),
  }))
  return columnOf(
    name,
    entries,
    Uint16Array.from(codes, (code) => (code < 0 ? values.length : code)),
  )
}

/** The groups of the layout, the largest first; -1 stands for none. */
export function groupColumn(groups: Int32Array): Column {
  const n = groups.reduce((most, group) => Math.max(most, group + 1), 0)
  const values = Array.from({ length: n }, (_, place) => String(place + 1))
  const column = categoryColumn('group', values, Array.from(groups))
  return {
    ...column,
    entries: column.entries.map((entry) => (entry.value ? { ...entry, label: t.groupN({ n: entry.value }) } : entry)),
  }
}

/** A column of numbers: an entry for each where they are few, else about as many points in each of five ranges. */
export function numberColumn(name: ColumnName, numbers: readonly (number | null)[]): Column {
  const known = numbers.filter((value) => value !== null).sort((a, b) => a - b)
  const distinct = [...new Set(known)]
  const ends = distinct.length <= nBins + 1 ? distinct : binEnds(known)
  const entries = ends.map((end, place) => ({
    value: String(end),
    label: distinct.length <= nBins + 1 ? numberLabel(end) : rangeLabel(ends, place),
    tint: { share: ends.length > 1 ? place / (ends.length - 1) : 1 },
  }))
  const codes = Uint16Array.from(numbers, (value) => (value === null ? ends.length : binOf(value, ends)))
  return columnOf(name, entries, codes, (index) => String(numbers[index] ?? ''))
}

const numberLabel = (value: number) => (Number.isInteger(value) ? formatCount(value) : formatTwoFigures(value))

const rangeLabel = (ends: readonly number[], place: number) => {
  const [below, end] = [ends[place - 1], numberLabel(ends[place] ?? 0)]
  return below === undefined ? t.upTo({ end }) : t.overUpTo({ below: numberLabel(below), end })
}

/** The largest value of each of five ranges that hold about as many values. */
function binEnds(sorted: readonly number[]): number[] {
  const ends = Array.from(
    { length: nBins },
    (_, bin) => sorted[Math.ceil(((bin + 1) * sorted.length) / nBins) - 1] ?? 0,
  )
  return [...new Set(ends)]
}

const binOf = (value: number, ends: readonly number[]) => {
  const bin = ends.findIndex((end) => value <= end)
  return bin < 0 ? ends.length - 1 : bin
}

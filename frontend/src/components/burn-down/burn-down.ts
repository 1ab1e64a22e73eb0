import type { Overview } from '@/lib/api/served'

export const oneDay = 86_400_000

/** Days of work that a drawing over time needs; of fewer each day is a bar. */
export const fewestDays = 3

export interface Left {
  at: Date
  left: number
}

export interface Band {
  at: Date
  low: number
  high: number
}

export interface BurnDown {
  /** Open assignments at the end of each day with work, from all of them to what is left today. */
  line: readonly Left[]
  /** From today to zero on the expected day. */
  expected: readonly Left[]
  /** Between the earliest and the latest day. */
  band: readonly Band[]
  from: Date
  to: Date
}

/** What the drawing needs, in days of UTC. Null while there is nothing to burn down. */
export function burnDownOf({ days, slots, slots_open: open, today, finish }: Overview): BurnDown | null {
  const first = days[0]
  if (!first || slots === 0) return null
  const now = Date.parse(today)
  const done = days.filter(({ day }) => Date.parse(day) < now)
  const line = [
    { at: new Date(Date.parse(first.day) - oneDay), left: slots },
    ...done.map(({ day, left }) => ({ at: new Date(day), left })),
    { at: new Date(now), left: open },
  ]
  if (!finish || open === 0) return { line, expected: [], band: [], from: line[0]?.at ?? new Date(now), to: new Date(now) }
  const [earliest, expected, latest] = [finish.earliest, finish.expected, finish.latest].map((day) => Date.parse(day)) as [
    number,
    number,
    number,
  ]
  const from = line[0]?.at ?? new Date(now)
  // A latest day far away would press the past into a corner.
  const longest = now + 3 * Math.max(expected - now, now - from.getTime(), oneDay)
  const to = Math.min(Math.max(latest, expected + oneDay), longest)
  const leftAt = (at: number, end: number): number => (end <= now ? 0 : Math.max(0, (open * (end - at)) / (end - now)))
  const corners = [...new Set([now, earliest, expected, latest, to])].filter((at) => at >= now && at <= to)
  return {
    line,
    expected: [
      { at: new Date(now), left: open },
      { at: new Date(Math.min(expected, to)), left: leftAt(Math.min(expected, to), expected) },
    ],
    band: corners
      .toSorted((a, b) => a - b)
      .map((at) => ({ at: new Date(at), low: leftAt(at, earliest), high: leftAt(at, latest) })),
    from,
    to: new Date(to),
  }
}

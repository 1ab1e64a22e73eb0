import { t } from '@/messages/common'

const units: readonly [string, number][] = [
  ['h', 3600],
  ['min', 60],
  ['s', 1],
]

/** "2 h 5 min", "41 s"; the two largest units are enough. */
export function formatDuration(seconds: number): string {
  let rest = Math.max(0, Math.round(seconds))
  const parts: string[] = []
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count} ${unit}`)
  }
  return parts.slice(0, 2).join(' ') || t.underASecond
}

/** How long it took from one moment to another, both as the server writes them. */
export function tookBetween(start: string | null, end: string | null): string | null {
  if (!start || !end) return null
  return formatDuration((Date.parse(end) - Date.parse(start)) / 1000)
}

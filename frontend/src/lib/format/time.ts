import { locale } from '@/lib/language/language'
import { t } from '@/messages/common'

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const absolute = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' })

/** "3 hours ago"; anything under a minute is "just now". */
export function relativeTime(then: Date, now: Date): string {
  const seconds = Math.round((then.getTime() - now.getTime()) / 1000)
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  }
  return seconds > 0 ? t.inAMoment : t.justNow
}

export const absoluteTime = (then: Date): string => absolute.format(then)

const longDay = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })

/** A date without a time, as the server writes it: "5 March 2026". */
export const dayOf = (date: string): string => longDay.format(new Date(date))

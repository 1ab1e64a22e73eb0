import { locale } from '@/lib/language/language'

const dayThisYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayAndYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** "4 Dec", or with its year where that is another one than today's. */
export function formatDay(day: string, today: string): string {
  const isThisYear = day.slice(0, 4) === today.slice(0, 4)
  return (isThisYear ? dayThisYear : dayAndYear).format(new Date(day))
}

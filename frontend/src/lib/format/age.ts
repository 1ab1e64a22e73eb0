import { locale } from '@/lib/language/language'

const units: readonly [Intl.NumberFormatOptions['unit'] & string, number][] = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

const formats = new Map(
  units.map(([unit]) => [unit, new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow' })]),
)

/** "3h", "2d": how long ago it was, as short as a column wants it. */
export function shortAge(then: Date, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - then.getTime()) / 1000)
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? ['minute', 60]
  return formats.get(unit)?.format(Math.floor(seconds / size)) ?? ''
}

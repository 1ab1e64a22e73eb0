import { locale } from '@/lib/language/language'

const integer = new Intl.NumberFormat(locale)
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
const smallPercent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB']

/** "0.714" or "0,714": always so many figures after the point, thousands not grouped. */
export function formatDecimal(value: number, decimals: number): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals, useGrouping: false }
  return new Intl.NumberFormat(locale, { ...digits, signDisplay: 'negative' }).format(value)
}

const twoFigures = new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 })

/** "0.031" or "0,031": two figures that matter, as a p-value is told. */
export const formatTwoFigures = (value: number): string => twoFigures.format(value)

export const formatCount = (value: number): string => integer.format(value)

/** "12.1%" of a share of 0.121; two figures after the point below one percent. */
export const formatShare = (share: number): string => (share < 0.01 ? smallPercent : percent).format(share)

const wholePercent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })

/** "70%": for a small bar that shows the share as well. */
export const formatWholeShare = (share: number): string => wholePercent.format(share)

/** Decimal units, one figure after the point from kB upwards. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), byteUnits.length - 1)
  const value = bytes / 1000 ** power
  return `${power === 0 ? String(value) : formatDecimal(value, 1)} ${byteUnits[power] ?? 'B'}`
}

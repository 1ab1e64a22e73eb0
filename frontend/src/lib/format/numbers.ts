const integer = new Intl.NumberFormat('en-GB')
const percent = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 })
const smallPercent = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 2 })
const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB']

export const formatCount = (value: number): string => integer.format(value)

/** "12.1%" of a share of 0.121; two figures after the point below one percent. */
export const formatShare = (share: number): string => (share < 0.01 ? smallPercent : percent).format(share)

/** "1 caption", "10 captions". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** Decimal units, one figure after the point from kB upwards. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), byteUnits.length - 1)
  const value = bytes / 1000 ** power
  return `${power === 0 ? String(value) : value.toFixed(1)} ${byteUnits[power] ?? 'B'}`
}

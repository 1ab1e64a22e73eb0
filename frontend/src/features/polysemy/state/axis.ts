export type Interval = readonly [from: number, to: number]

/** Where values lie on a line of pixels, and which of them are written beside it. */
export interface Axis {
  at: (value: number) => number
  ticks: readonly number[]
}

const isSame = ([from, to]: Interval) => from === to

/** The step among 1, 2, 2.5 and 5 times a power of ten that divides a width into about `wanted` parts. */
function stepOf(width: number, wanted: number): number {
  const rough = width / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  return power * ([1, 2, 2.5, 5].find((step) => step * power >= rough * 0.999) ?? 10)
}

/** The round numbers in an interval, about `wanted` of them. */
export function roundNumbers([from, to]: Interval, wanted: number): number[] {
  if (to <= from) return [from]
  const step = stepOf(to - from, wanted)
  const first = Math.ceil(from / step - 1e-9)
  const last = Math.floor(to / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, n) => Number(((first + n) * step).toPrecision(12)))
}

/** The smallest interval of round numbers around all values; some air where they are all one. */
export function roundInterval(values: readonly number[], wanted = 4): Interval {
  if (values.length === 0) return [0, 1]
  const least = Math.min(...values)
  const most = Math.max(...values)
  const air = Math.max(0.01, (most - least) * 0.04)
  const step = stepOf(most - least + 2 * air, wanted)
  return [Math.floor((least - air) / step) * step, Math.ceil((most + air) / step) * step]
}

export function linearAxis(domain: Interval, pixels: Interval, wanted = 5): Axis {
  const share = (value: number) => (isSame(domain) ? 0.5 : (value - domain[0]) / (domain[1] - domain[0]))
  return {
    at: (value) => pixels[0] + share(value) * (pixels[1] - pixels[0]),
    ticks: roundNumbers(domain, wanted),
  }
}

/** The same axis with the ticks whose labels have room: each `least` pixels from the one written before it. */
export function withRoom({ at, ticks }: Axis, least: number): Axis {
  let before = -Infinity
  const written = ticks.filter((tick) => {
    if (at(tick) - before < least) return false
    before = at(tick)
    return true
  })
  return { at, ticks: written }
}

/** By the logarithm; `domain` lies above 0. Ticks are 1, 2 and 5 times the powers of ten. */
export function logAxis(domain: Interval, pixels: Interval): Axis {
  const [from, to] = [Math.log(domain[0]), Math.log(domain[1])]
  const share = (value: number) => (from === to ? 0.5 : (Math.log(value) - from) / (to - from))
  const powers = Array.from({ length: 7 }, (_, power) => 10 ** power)
  const ticks = powers.flatMap((power) => [power, 2 * power, 5 * power])
  return {
    at: (value) => pixels[0] + share(value) * (pixels[1] - pixels[0]),
    ticks: ticks.filter((tick) => tick >= domain[0] && tick <= domain[1]),
  }
}

import type { Funnel } from '@/lib/api/served'
import type { Flow } from './funnel-steps'

export interface Step {
  rule: string
  /** Captions that came to the rule. */
  before: number
  n: number
  /** What it dropped of each source, from right to left on the axis. */
  parts: readonly { source: string; n: number; x1: number; x2: number }[]
}

const colours = 7

/** The colour of a source by its place in the list. */
export const colourOf = (at: number): string => `var(--map-${(at % colours) + 1})`

/** The rules that dropped something, in the order of the chain. */
export function stepDownOf(flow: Flow, { sources }: Funnel, only: string): Step[] {
  const shown = only ? sources.filter(({ source }) => source === only) : sources
  return flow.steps
    .filter(({ n_dropped }) => n_dropped > 0)
    .map(({ rule, n_before: before, n_dropped: n }) => {
      let right = before
      const parts = shown.flatMap(({ source, dropped }) => {
        const lost = dropped[rule] ?? 0
        if (lost === 0) return []
        const part = { source, n: lost, x1: right - lost, x2: right }
        right -= lost
        return [part]
      })
      return { rule, before, n, parts }
    })
}

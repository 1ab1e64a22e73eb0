import type { Funnel, SourceCounts } from '@/lib/api/served'

export interface FunnelStep {
  rule: string
  /** How many came to this rule. */
  n_before: number
  n_dropped: number
  /** Null where the rule does not repair, or it is not known for this source. */
  n_repaired: number | null
}

export interface Flow {
  n_in: number
  n_new: number
  n_kept: number
  steps: FunnelStep[]
  flags: [flag: string, count: number][]
}

function add(into: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts)) into[name] = (into[name] ?? 0) + count
}

/** All captions, or those of one source, from in to kept: what each rule of the chain found before it and dropped. */
export function flowOf(funnel: Funnel, source: string): Flow {
  const shown: readonly SourceCounts[] = source ? funnel.sources.filter((one) => one.source === source) : funnel.sources
  const dropped: Record<string, number> = {}
  const flags: Record<string, number> = {}
  const flow = { n_in: 0, n_new: 0, n_kept: 0 }
  for (const one of shown) {
    add(dropped, one.dropped)
    add(flags, one.flags)
    flow.n_in += one.n_candidates
    flow.n_new += one.n_new
    flow.n_kept += one.n_kept
  }
  let left = flow.n_in - flow.n_new
  const steps = funnel.rules.map(({ rule, n_repaired }) => {
    const step = { rule, n_before: left, n_dropped: dropped[rule] ?? 0, n_repaired: source ? null : n_repaired }
    left -= step.n_dropped
    return step
  })
  const meant = steps.filter((step) => step.n_dropped > 0 || step.n_repaired !== null)
  return { ...flow, steps: meant, flags: Object.entries(flags).sort(([, a], [, b]) => b - a) }
}

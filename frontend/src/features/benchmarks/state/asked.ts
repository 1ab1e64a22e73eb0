/** What of a leaderboard is shown; it stands in the address, so that it can be sent as a link. */
export interface BenchmarkAsked {
  release?: string
  task?: string
  category?: string
  reference?: string
}

const names = ['release', 'task', 'category', 'reference'] as const

/** `?release=…&category=difficulty=hard`. What is not text is left out. */
export function readAsked(search: Record<string, unknown>): BenchmarkAsked {
  const said = names.flatMap((name) => (typeof search[name] === 'string' && search[name] ? [[name, search[name]]] : []))
  return Object.fromEntries(said) as BenchmarkAsked
}

export interface PairAsked {
  release?: string
  task?: string
  a?: string
  b?: string
  direction?: string
}

/** The two evaluations that are compared, and the direction. */
export function readPair(search: Record<string, unknown>): PairAsked {
  const said = (['release', 'task', 'a', 'b', 'direction'] as const).flatMap((name) =>
    typeof search[name] === 'string' && search[name] ? [[name, search[name]]] : [],
  )
  return Object.fromEntries(said) as PairAsked
}

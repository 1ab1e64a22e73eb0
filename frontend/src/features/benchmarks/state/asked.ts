import type { QueryDirection, Task } from '../api/shapes'

/** What of a leaderboard is shown; it stands in the address, so that it can be sent as a link. */
export interface BenchmarkAsked {
  release?: string
  task?: Task
  category?: string
  reference?: string
}

export interface PairAsked {
  release?: string
  task?: Task
  a?: string
  b?: string
  category?: string
  direction?: QueryDirection
}

const tasks: readonly Task[] = ['retrieval', 'relevance', 'auprc']
const directions: readonly QueryDirection[] = ['image_to_text', 'text_to_image']

/** The texts among what stands in the address. */
function textsOf<Name extends string>(search: Record<string, unknown>, names: readonly Name[]) {
  const said = names.flatMap((name) => (typeof search[name] === 'string' && search[name] ? [[name, search[name]]] : []))
  return Object.fromEntries(said) as Partial<Record<Name, string>>
}

const taskOf = ({ task }: Record<string, unknown>) => {
  const known = tasks.find((each) => each === task)
  return known ? { task: known } : {}
}

/** `?release=…&category=difficulty=hard`. What is not known is left out. */
export const readAsked = (search: Record<string, unknown>): BenchmarkAsked => ({
  ...textsOf(search, ['release', 'category', 'reference']),
  ...taskOf(search),
})

/** The two results that are compared, and the direction. */
export function readPair(search: Record<string, unknown>): PairAsked {
  const direction = directions.find((each) => each === search.direction)
  return { ...textsOf(search, ['release', 'a', 'b', 'category']), ...taskOf(search), ...(direction && { direction }) }
}

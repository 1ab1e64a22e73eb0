import { useEffect, useState } from 'react'

const storageKey = 'connote.rail'

interface RailState {
  /** Only the icons show. */
  isSmall: boolean
  /** The groups whose pages show although none of them is open. */
  unfolded: readonly string[]
}

/** Where the browser keeps nothing, or nonsense, the sidebar is wide and folded. */
function readState(): RailState {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    const { isSmall, unfolded } = kept as Partial<Record<keyof RailState, unknown>>
    const ids = Array.isArray(unfolded) ? unfolded.filter((id): id is string => typeof id === 'string') : []
    return { isSmall: isSmall === true, unfolded: ids }
  } catch {
    return { isSmall: false, unfolded: [] }
  }
}

function keepState(state: RailState): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(state))
  } catch {
    return
  }
}

/** How the person left the sidebar in this browser. */
export function useRail() {
  const [state, setState] = useState(readState)
  useEffect(() => keepState(state), [state])
  const { isSmall, unfolded } = state
  return {
    isSmall,
    unfolded,
    toggle: () => setState({ ...state, isSmall: !isSmall }),
    fold: (id: string) =>
      setState({
        ...state,
        unfolded: unfolded.includes(id) ? unfolded.filter((other) => other !== id) : [...unfolded, id],
      }),
  }
}

import type { PointerEvent } from 'react'
import type { useOutline } from './use-outline'
import { useTap } from './use-tap'

export interface Pointing {
  /** The dot at this place, or null. */
  at: (event: PointerEvent<HTMLElement>) => number | null
  outline: ReturnType<typeof useOutline>
  onPick: (index: number | null) => void
  onHover: (index: number | null) => void
}

/** What a pointer does on a map: a tap picks a dot, a mouse without a button points at one, a drag draws an outline. */
export function usePointing({ at, outline: { handlers }, onPick, onHover }: Pointing) {
  const tap = useTap((event) => onPick(at(event)))
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      tap.onPointerDown(event)
      handlers.onPointerDown(event)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      handlers.onPointerMove(event)
      if (event.pointerType === 'mouse' && event.buttons === 0) onHover(at(event))
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      handlers.onPointerUp()
      tap.onPointerUp(event)
    },
    onPointerCancel: () => {
      handlers.onPointerCancel()
      tap.onPointerCancel()
    },
    onPointerLeave: () => onHover(null),
  }
}

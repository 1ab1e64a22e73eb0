import { type PointerEvent, useRef } from 'react'

// A press that moves farther than this is a drag.
const still = 4

/** A press that did not become a drag. */
export function useTap(onTap: (event: PointerEvent<HTMLElement>) => void) {
  const start = useRef<{ x: number; y: number } | null>(null)
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      start.current = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY } : null
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const from = start.current
      start.current = null
      if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) <= still) onTap(event)
    },
    onPointerCancel: () => {
      start.current = null
    },
  }
}

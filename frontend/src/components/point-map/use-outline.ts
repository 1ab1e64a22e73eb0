import { type PointerEvent, useRef, useState } from 'react'
import { boxOf, type Corner } from './outline'

export type Tool = 'move' | 'lasso' | 'box'

// Corners nearer to each other than this make no other outline.
const apart = 3

const cornerOf = (event: PointerEvent<HTMLElement>): Corner => {
  const { left, top } = event.currentTarget.getBoundingClientRect()
  return [event.clientX - left, event.clientY - top]
}

/** An outline that a pointer draws: freely, or as a box. Shift draws freely while the map is moved. */
export function useOutline(tool: Tool, onEnd: (corners: readonly Corner[]) => void) {
  const begun = useRef<Corner | null>(null)
  const [corners, setCorners] = useState<readonly Corner[]>([])
  const isBox = tool === 'box'
  const end = () => {
    begun.current = null
    setCorners([])
  }
  return {
    corners,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (!event.isPrimary || event.button !== 0 || (tool === 'move' && !event.shiftKey)) return
        event.currentTarget.setPointerCapture(event.pointerId)
        begun.current = cornerOf(event)
        setCorners([begun.current])
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const from = begun.current
        if (!from) return
        const [x, y] = cornerOf(event)
        setCorners((before) => {
          if (isBox) return boxOf(from, [x, y])
          const [lastX, lastY] = before.at(-1) ?? from
          return Math.hypot(x - lastX, y - lastY) < apart ? before : [...before, [x, y]]
        })
      },
      onPointerUp: () => {
        if (begun.current && corners.length > 2) onEnd(corners)
        end()
      },
      onPointerCancel: end,
    },
  }
}

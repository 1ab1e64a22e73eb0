import { type TouchEvent, useRef } from 'react'
import { isRightToLeft } from '@/lib/language/direction'

const minimumPx = 60

/** A sideways stroke of the finger pulls the next one in from where reading goes, or the last one back. */
export function useSwipe(onSwipe: (by: 1 | -1) => void) {
  const start = useRef<{ x: number; y: number } | null>(null)
  const onTouchStart = (event: TouchEvent) => {
    const touch = event.touches.length === 1 ? event.touches[0] : undefined
    start.current = touch ? { x: touch.clientX, y: touch.clientY } : null
  }
  const onTouchEnd = (event: TouchEvent) => {
    const touch = event.changedTouches[0]
    if (!touch || !start.current) return
    const by = { x: touch.clientX - start.current.x, y: touch.clientY - start.current.y }
    start.current = null
    if (Math.abs(by.x) < minimumPx || Math.abs(by.x) < 2 * Math.abs(by.y)) return
    onSwipe(by.x > 0 === isRightToLeft ? 1 : -1)
  }
  return { onTouchStart, onTouchEnd }
}

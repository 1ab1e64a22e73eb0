import { type TouchEvent, type TouchList, useRef } from 'react'

const minimumPx = 40

/** Two fingers that part, over what does not zoom by itself. */
export function usePinchOut(onPinch: () => void) {
  const start = useRef<number | null>(null)
  const onTouchStart = ({ touches }: TouchEvent) => {
    start.current = apart(touches)
  }
  const onTouchMove = ({ touches }: TouchEvent) => {
    const now = apart(touches)
    if (now === null || start.current === null || now - start.current < minimumPx) return
    start.current = null
    onPinch()
  }
  return { onTouchStart, onTouchMove }
}

/** How far two fingers are from each other, in pixels; null where there are not two. */
function apart(touches: TouchList): number | null {
  const [one, other] = [touches[0], touches[1]]
  if (!one || !other || touches.length > 2) return null
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)
}

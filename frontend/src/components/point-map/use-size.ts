import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Size } from './place'

/** The inner size of an element in whole pixels, known before the first paint. */
export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const box = element.current
    if (!box) return
    const measure = () => {
      const { width, height } = box.getBoundingClientRect()
      const now = { width: Math.floor(width), height: Math.floor(height) }
      setSize((before) => (before.width === now.width && before.height === now.height ? before : now))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => observer.disconnect()
  }, [element])
  return size
}

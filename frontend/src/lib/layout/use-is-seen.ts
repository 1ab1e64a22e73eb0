import { type RefObject, useEffect, useState } from 'react'

/** Whether an element was ever on the screen, or close to it: what it needs is asked for only then. */
export function useIsSeen(element: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(() => typeof IntersectionObserver === 'undefined')
  useEffect(() => {
    const box = element.current
    if (!box || isSeen) return
    const observer = new IntersectionObserver((entries) => setSeen(entries.some((each) => each.isIntersecting)), {
      rootMargin: '200px',
    })
    observer.observe(box)
    return () => observer.disconnect()
  }, [element, isSeen])
  return isSeen
}

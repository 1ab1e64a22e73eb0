import { type RefObject, useEffect } from 'react'

/** Brings a part that a person chose into the window where it stands below the middle; otherwise the page stays. */
export function useIntoView(part: RefObject<HTMLElement | null>, isChosen: boolean): void {
  useEffect(() => {
    const box = part.current
    if (isChosen && box && box.getBoundingClientRect().top > window.innerHeight / 2) box.scrollIntoView()
  }, [part, isChosen])
}

import { type RefObject, useEffect, useRef } from 'react'
import { bringFocus } from './bring-focus'

/**
 * Takes the focus along when what stands in a place gives way to something else, as `shown` tells: the button that was
 * pressed has gone with it. It goes on from what carries `data-step` there, or from the first thing to choose or press.
 * A dialog that goes at the same time gives the focus back in the frame after its last.
 */
export function useFocusHere(place: RefObject<HTMLElement | null>, shown: unknown): void {
  const before = useRef(shown)
  useEffect(() => {
    if (before.current === shown) return undefined
    before.current = shown
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => bringFocus(stepIn(place.current)))
    })
    return () => cancelAnimationFrame(frame)
  }, [place, shown])
}

const stepIn = (place: HTMLElement | null): HTMLElement | null | undefined =>
  place?.querySelector<HTMLElement>('[data-step]') ?? place?.querySelector<HTMLElement>('input:checked, button')

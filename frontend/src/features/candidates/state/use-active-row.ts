import { type RefObject, useEffect, useRef, useState } from 'react'

interface ActiveRow {
  list: RefObject<HTMLElement | null>
  count: number
  /** Brings a row into the window that may not be drawn yet; without it the browser does. */
  scrollTo?: (index: number) => void
}

const rowOf = (list: HTMLElement | null, index: number): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null

/** The row that keys act on: it follows the focus, and moving it takes the focus along, drawn or not yet drawn. */
export function useActiveRow({ list, count, scrollTo }: ActiveRow) {
  const [active, setActive] = useState(0)
  // Keys may come faster than rows are drawn: where one is, is known at once.
  const place = useRef<number | null>(null)
  const wanted = useRef<number | null>(null)
  // The first press shows where one is.
  const move = (by: 1 | -1) => goTo(place.current === null ? active : place.current + by)
  const goTo = (index: number) => {
    const next = Math.min(count - 1, Math.max(0, index))
    place.current = next
    wanted.current = next
    setActive(next)
    scrollTo?.(next)
  }
  // A row far away is drawn only after scrolling; it takes the focus as soon as it is there.
  useEffect(() => {
    if (wanted.current === null) return
    const row = rowOf(list.current, wanted.current)
    if (!row) return
    wanted.current = null
    row.focus({ preventScroll: scrollTo !== undefined })
  })
  useEffect(() => {
    const box = list.current
    const follow = (event: FocusEvent) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null
      if (!row) return
      place.current = Number(row.dataset.index)
      setActive(place.current)
    }
    box?.addEventListener('focusin', follow)
    return () => box?.removeEventListener('focusin', follow)
  }, [list])
  return { active: Math.min(active, Math.max(0, count - 1)), move, goTo }
}

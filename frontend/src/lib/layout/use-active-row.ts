import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface ActiveRow {
  list: RefObject<HTMLElement | null>
  /** The rows by their ids, as they stand in the list now. */
  ids: readonly number[]
  /** Brings a row into the window that may not be drawn yet; without it the browser does. */
  scrollTo?: (index: number) => void
}

/** A row, and where it stood when it was come to. */
interface Place {
  id: number | undefined
  index: number
}

const rowOf = (list: HTMLElement | null, index: number): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null

/** Where a row stands now; one that has left the list leaves its place to the one that came there. */
function indexOf({ id, index }: Place, ids: readonly number[]): number {
  const found = id === undefined ? -1 : ids.indexOf(id)
  return found >= 0 ? found : Math.max(0, Math.min(index, ids.length - 1))
}

/** The row that keys act on: it follows the focus, and moving it takes the focus along, drawn or not yet drawn. */
export function useActiveRow({ list, ids, scrollTo }: ActiveRow) {
  const [active, setActive] = useState<Place>({ id: undefined, index: 0 })
  // Keys may come faster than rows are drawn: where one is, is known at once.
  const place = useRef<Place | null>(null)
  const wanted = useRef<number | null>(null)
  const shown = indexOf(active, ids)
  // The first press shows where one is.
  const move = (by: 1 | -1) => goTo(place.current === null ? shown : indexOf(place.current, ids) + by)
  const goTo = (index: number) => {
    const next = Math.min(ids.length - 1, Math.max(0, index))
    place.current = { id: ids[next], index: next }
    wanted.current = next
    setActive(place.current)
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
  const newest = useRef(ids)
  useLayoutEffect(() => {
    newest.current = ids
  })
  useEffect(() => {
    const box = list.current
    const follow = (event: FocusEvent) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null
      if (!row) return
      const index = Number(row.dataset.index)
      place.current = { id: newest.current[index], index }
      setActive(place.current)
    }
    box?.addEventListener('focusin', follow)
    return () => box?.removeEventListener('focusin', follow)
  }, [list])
  return { active: shown, move, goTo }
}

import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { bringFocus } from './bring-focus'

/**
 * Keeps the focus among the rows of a list: where a deed takes its own button away, or its whole row, the next thing
 * to press is the first button of the row that stands there now.
 */
export function useKeptFocus(list: RefObject<HTMLElement | null>) {
  const place = useRef(-1)
  useLayoutEffect(() => {
    if (place.current < 0) return
    const rows = list.current?.children ?? []
    bringFocus(rows[Math.min(place.current, rows.length - 1)]?.querySelector('button'))
  })
  return {
    onFocus: ({ target }: FocusEvent) => {
      place.current = Array.from(list.current?.children ?? []).findIndex((row) => row.contains(target))
    },
    // Whoever goes elsewhere is not called back; what is taken away with the focus on it says nothing here.
    onBlur: () => {
      place.current = -1
    },
  }
}

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
    // A dialog that a row asks for is told of here too, though it lies elsewhere: whoever is in it comes back to the row.
    onFocus: ({ target }: FocusEvent) => {
      if (isInDialog(target)) return
      place.current = Array.from(list.current?.children ?? []).findIndex((row) => row.contains(target))
    },
    // Whoever goes elsewhere is not called back; what is taken away with the focus on it says nothing here.
    onBlur: ({ relatedTarget }: FocusEvent) => {
      if (!isInDialog(relatedTarget)) place.current = -1
    },
  }
}

const isInDialog = (element: EventTarget | null): boolean =>
  element instanceof Element && element.closest('[role="dialog"], [role="alertdialog"]') !== null

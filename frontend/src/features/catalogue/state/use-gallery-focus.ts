import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useActions } from '@/lib/actions/action-context'
import { isRightToLeft } from '@/lib/language/direction'
import { galleryActions } from '../actions'
import type { GalleryRow } from './justify'
import { type Move, moved } from './moves'

interface GalleryFocus {
  rows: readonly GalleryRow[]
  count: number
  grid: RefObject<HTMLElement | null>
  scrollTo: (index: number) => void
}

const tileAt = (grid: HTMLElement | null, index: number): HTMLElement | null =>
  grid?.querySelector<HTMLElement>(`[data-tile="${index}"]`) ?? null

/** The one photograph that Tab reaches, and the arrows that move it; drawn rows come and go under it. */
export function useGalleryFocus({ rows, count, grid, scrollTo }: GalleryFocus) {
  const [active, setActive] = useState(0)
  const wanted = useRef<number | null>(null)
  const focusOn = useCallback(
    (index: number) => {
      wanted.current = index
      setActive(index)
      scrollTo(index)
    },
    [scrollTo],
  )
  // A photograph far away is drawn only after scrolling; it takes the focus as soon as it is there.
  useEffect(() => {
    if (wanted.current === null) return
    const tile = tileAt(grid.current, wanted.current)
    if (!tile) return
    wanted.current = null
    tile.focus({ preventScroll: true })
  })
  const by = (move: Move) => ({
    when: () => grid.current?.contains(document.activeElement) === true,
    perform: () => focusOn(moved(rows, active, count, move)),
  })
  useActions(galleryActions, {
    'gallery.right': by(isRightToLeft ? 'left' : 'right'),
    'gallery.left': by(isRightToLeft ? 'right' : 'left'),
    'gallery.down': by('down'),
    'gallery.up': by('up'),
    'gallery.first': by('first'),
    'gallery.last': by('last'),
  })
  return { active, setActive, focusOn }
}

import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { Placed, Size, View } from './place'
import styles from './point-map.module.css'

/** More points on the screen than these stay dots. */
export const mostFew = 300
const restMs = 150

/** The points that are shown in the window; null where they are more than a few. */
export function fewInside(placed: Placed, size: Size, { x, y, k }: View, isShown: (index: number) => boolean) {
  const few: number[] = []
  for (let index = 0; index < placed.xs.length; index += 1) {
    const [left, top] = [(placed.xs[index] ?? 0) * k + x, (placed.ys[index] ?? 0) * k + y]
    if (left < 0 || top < 0 || left > size.width || top > size.height || !isShown(index)) continue
    if (few.length === mostFew) return null
    few.push(index)
  }
  return few
}

const narrow = 480 // pixels, of a phone
/** How large a photograph is drawn in a narrow window. */
export const sideInNarrow = 40
const frames = 6 // pixels, of two neighbours

export const isNarrow = ({ width }: Size): boolean => width < narrow

/** Of these points those whose photographs do not cover one another in a narrow window; the others stay dots. */
export function apart(few: readonly number[], { xs, ys }: Placed, k: number): number[] {
  const least = (sideInNarrow + frames) / k
  const kept: number[] = []
  const isNear = (a: number, b: number) =>
    Math.abs((xs[a] ?? 0) - (xs[b] ?? 0)) < least && Math.abs((ys[a] ?? 0) - (ys[b] ?? 0)) < least
  for (const index of few) if (!kept.some((other) => isNear(index, other))) kept.push(index)
  return kept
}

interface Asked {
  placed: Placed
  size: Size
  isShown: (index: number) => boolean
  /** Without it nothing is counted. */
  isWanted: boolean
}

const wholeMap: View = { x: 0, y: 0, k: 1 }

/**
 * A layer over the dots that follows the view, for elements at the places of the whole map. It knows the points in the
 * window as soon as the view rests. Returns the layer, the points, and what to call when the view changes.
 */
export function useFewPoints({ placed, size, isShown, isWanted }: Asked) {
  const layer = useRef<HTMLDivElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const seen = useRef(wholeMap)
  const [few, setFew] = useState<readonly number[]>([])
  const count = useRef<() => void>(() => undefined)
  const follow = useCallback((view: View) => {
    seen.current = view
    layer.current?.style.setProperty('transform', `translate(${view.x}px, ${view.y}px) scale(${view.k})`)
    layer.current?.style.setProperty('--unscaled', String(1 / view.k))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => count.current(), restMs)
  }, [])
  useEffect(() => {
    const isDrawn = isWanted && size.width > 0
    count.current = () => {
      const inside = isDrawn ? (fewInside(placed, size, seen.current, isShown) ?? []) : []
      setFew(isNarrow(size) ? apart(inside, placed, seen.current.k) : inside)
    }
    follow(seen.current)
    return () => clearTimeout(timer.current)
  }, [placed, size, isShown, isWanted, follow])
  return { layer, few, follow }
}

interface FewPointsProps {
  layer: RefObject<HTMLDivElement | null>
  children: ReactNode
}

export function FewPoints({ layer, children }: FewPointsProps) {
  return (
    <div ref={layer} className={styles.few} aria-hidden="true">
      {children}
    </div>
  )
}

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { type Dots, GlPoints } from './gl-points'
import { hasMoreInside, mostMoving, sampleOf } from './moving-sample'
import type { Placed, Size, View } from './place'

// Above two device pixels a dot looks no rounder and costs more.
const mostPixels = 2
const restMs = 150

export interface Layers {
  dots: Dots
  /** Drawn larger, over the others. */
  hits: Dots
  /** Drawn as rings, over everything. */
  marks: Dots
}

/** Diameters in pixels: dots shrink where there are many, and grow slowly as one comes closer. */
export function diameterOf(count: number, { width, height }: Size, k: number): number {
  const apart = Math.sqrt((width * height) / Math.max(1, count))
  return Math.min(12, Math.min(7, Math.max(2.2, 0.4 * apart)) * k ** 0.4)
}

/**
 * Draws the layers once per frame, however often the view changes in between; React does not render while the map pans.
 * Without a graphics card a moving map shows a sample of its dots, and all of them when it rests. Returns how to ask for
 * a frame, and whether the browser can draw at all.
 */
export function useGlPoints(
  canvas: RefObject<HTMLCanvasElement | null>,
  view: RefObject<View>,
  { placed, size, layers }: { placed: Placed; size: Size; layers: Layers },
): { request: () => void; canDraw: boolean } {
  const painter = useRef<GlPoints | null>(null)
  const [canDraw, setCanDraw] = useState(true)
  const [restored, setRestored] = useState(0)
  const frame = useRef(0)
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isSample = useRef(false)
  const drawn = useRef<View>(null)
  const { dots, hits, marks } = layers
  const latest = useRef({ placed, size, dots })
  const count = placed.xs.length
  const paint = useCallback(() => {
    const { size } = latest.current
    if (!painter.current || size.width === 0 || size.height === 0) return
    const ratio = Math.min(mostPixels, globalThis.devicePixelRatio || 1)
    const diameter = diameterOf(count, size, view.current.k)
    const scene = { size, view: view.current, ratio, diameter }
    painter.current.clear(scene)
    painter.current.draw(isSample.current ? 'dots-sample' : 'dots', scene)
    painter.current.draw(isSample.current ? 'hits-sample' : 'hits', { ...scene, diameter: diameter + 2.5 })
    painter.current.draw('marks', { ...scene, diameter: diameter + 12 }, 2.5)
    drawn.current = view.current
  }, [view, count])
  const request = useCallback(() => {
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0
      const hasMoved = drawn.current !== null && drawn.current !== view.current
      if (hasMoved && painter.current?.isSlow) {
        const { dots, placed, size } = latest.current
        // A movement that began with a sample keeps it: dots that come and go would flicker.
        isSample.current ||= hasMoreInside(dots, mostMoving, placed, size, view.current)
        clearTimeout(rest.current)
        rest.current = setTimeout(() => {
          isSample.current = false
          paint()
        }, restMs)
      }
      paint()
    })
  }, [view, paint])

  useEffect(() => {
    const target = canvas.current
    if (!target) return
    painter.current = GlPoints.on(target)
    setCanDraw(painter.current !== null)
    const lose = (event: Event) => event.preventDefault()
    const restore = () => setRestored((n) => n + 1)
    target.addEventListener('webglcontextlost', lose)
    target.addEventListener('webglcontextrestored', restore)
    return () => {
      target.removeEventListener('webglcontextlost', lose)
      target.removeEventListener('webglcontextrestored', restore)
      painter.current?.dispose()
      painter.current = null
      cancelAnimationFrame(frame.current)
      clearTimeout(rest.current)
      frame.current = 0
      isSample.current = false
    }
  }, [canvas, restored])
  useEffect(() => {
    latest.current = { placed, size, dots }
    request()
  })
  const put = useCallback(
    (name: string, all: Dots) => {
      painter.current?.put(name, placed, all)
      if (painter.current?.isSlow) painter.current.put(`${name}-sample`, placed, sampleOf(all, mostMoving))
    },
    [placed],
  )
  useEffect(() => put('dots', dots), [put, dots, restored])
  useEffect(() => put('hits', hits), [put, hits, restored])
  useEffect(() => painter.current?.put('marks', placed, marks), [placed, marks, restored])
  return { request, canDraw }
}

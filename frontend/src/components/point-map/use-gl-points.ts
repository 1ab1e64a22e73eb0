import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { type Dots, GlPoints } from './gl-points'
import type { Placed, Size, View } from './place'

// Above two device pixels a dot looks no rounder and costs more.
const mostPixels = 2

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
 * Draws the layers once per frame, however often the view changes in between; React knows nothing of panning. Returns
 * how to ask for a frame, and whether the browser can draw at all.
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
  const sized = useRef(size)
  const count = placed.xs.length
  const request = useCallback(() => {
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0
      const { width, height } = sized.current
      if (!painter.current || width === 0 || height === 0) return
      const ratio = Math.min(mostPixels, globalThis.devicePixelRatio || 1)
      const diameter = diameterOf(count, sized.current, view.current.k)
      const scene = { size: sized.current, view: view.current, ratio, diameter }
      painter.current.clear(scene)
      painter.current.draw('dots', scene)
      painter.current.draw('hits', { ...scene, diameter: diameter + 2.5 })
      painter.current.draw('marks', { ...scene, diameter: diameter + 12 }, 2.5)
    })
  }, [view, count])

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
      frame.current = 0
    }
  }, [canvas, restored])
  const { dots, hits, marks } = layers
  useEffect(() => painter.current?.put('dots', placed, dots), [placed, dots, restored])
  useEffect(() => painter.current?.put('hits', placed, hits), [placed, hits, restored])
  useEffect(() => painter.current?.put('marks', placed, marks), [placed, marks, restored])
  useEffect(() => {
    sized.current = size
    request()
  })
  return { request, canDraw }
}

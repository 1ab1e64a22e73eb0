import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { Scene } from './paint'
import { Painter } from './painter'

// Above two device pixels a dot looks no rounder and costs twice as much.
const mostPixels = 2

const ratioOf = (): number => Math.min(mostPixels, globalThis.devicePixelRatio || 1)

/**
 * Draws the newest scene once per frame, however often it changes in between. Returns how to ask for a frame; React
 * does not render while the map pans.
 */
export function usePainting(canvas: RefObject<HTMLCanvasElement | null>, scene: () => Omit<Scene, 'ratio'>) {
  const latest = useRef(scene)
  const frame = useRef(0)
  const [painter] = useState(() => new Painter())
  const request = useCallback(() => {
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0
      if (canvas.current) draw(painter, canvas.current, latest.current())
    })
  }, [canvas, painter])
  useEffect(() => {
    latest.current = scene
    request()
  })
  useEffect(
    () => () => {
      cancelAnimationFrame(frame.current)
      frame.current = 0
    },
    [],
  )
  return request
}

function draw(painter: Painter, canvas: HTMLCanvasElement, scene: Omit<Scene, 'ratio'>): void {
  const context = canvas.getContext('2d')
  const { width, height } = scene.size
  if (!context || width === 0 || height === 0) return
  const ratio = ratioOf()
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)]
  if (canvas.width !== wide) canvas.width = wide
  if (canvas.height !== high) canvas.height = high
  painter.paint(context, { ...scene, ratio })
}

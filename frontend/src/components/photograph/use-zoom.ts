import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { fitted, pan, type Point, type Size, type View, zoomAt } from './zoom'

const wheelStep = 1.0015

/** Wheel, pinch, drag and the zoom verbs over one frame. */
export function useZoom(photo: Size) {
  const frame = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<View>(fitted)
  const zoom = (factor: number, at: Point = { x: 0, y: 0 }) =>
    setView((now) => zoomAt(now, factor, at, sizeOf(frame.current), photo))
  const move = (by: Point) => setView((now) => pan(now, by, sizeOf(frame.current), photo))
  const panBy = (by: Point) => {
    const { width, height } = sizeOf(frame.current)
    move({ x: by.x * width, y: by.y * height })
  }
  useWheel(frame, zoom)
  const pointers = usePointers(frame, zoom, move)
  return { frame, view, zoom, pan: panBy, fit: () => setView(fitted), pointers }
}

type Zoom = (factor: number, at: Point) => void

const sizeOf = (element: HTMLElement | null): Size => ({
  width: element?.clientWidth ?? 1,
  height: element?.clientHeight ?? 1,
})

/** React listens to wheels passively; keeping the page still needs a listener of our own. */
function useWheel(frame: { current: HTMLDivElement | null }, zoom: Zoom): void {
  const latest = useRef(zoom)
  useEffect(() => {
    latest.current = zoom
  })
  useEffect(() => {
    const element = frame.current
    const turn = (event: WheelEvent) => {
      event.preventDefault()
      latest.current(wheelStep ** -event.deltaY, fromCentre(element, event))
    }
    element?.addEventListener('wheel', turn, { passive: false })
    return () => element?.removeEventListener('wheel', turn)
  }, [frame])
}

/** One finger drags, two fingers pinch. */
function usePointers(frame: { current: HTMLDivElement | null }, zoom: Zoom, move: (by: Point) => void) {
  const held = useRef(new Map<number, Point>())
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const before = held.current.get(event.pointerId)
    if (!before) return
    const now = { x: event.clientX, y: event.clientY }
    const other = [...held.current.entries()].find(([id]) => id !== event.pointerId)?.[1]
    held.current.set(event.pointerId, now)
    if (other)
      zoom(distance(now, other) / Math.max(distance(before, other), 1), fromCentre(frame.current, midpoint(now, other)))
    else move({ x: now.x - before.x, y: now.y - before.y })
  }
  const release = (event: PointerEvent<HTMLDivElement>) => {
    held.current.delete(event.pointerId)
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    held.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
  }
  return { onPointerDown, onPointerMove, onPointerUp: release, onPointerCancel: release }
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y)

const midpoint = (a: Point, b: Point) => ({ clientX: (a.x + b.x) / 2, clientY: (a.y + b.y) / 2 })

function fromCentre(element: HTMLElement | null, at: { clientX: number; clientY: number }): Point {
  const box = element?.getBoundingClientRect()
  if (!box) return { x: 0, y: 0 }
  return { x: at.clientX - box.left - box.width / 2, y: at.clientY - box.top - box.height / 2 }
}

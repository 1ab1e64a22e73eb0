import { select, type Selection } from 'd3-selection'
import { zoom, type ZoomBehavior, zoomIdentity, type ZoomTransform } from 'd3-zoom'
import { type RefObject, useEffect, useRef } from 'react'
import type { Size } from './place'

type Place = readonly [number, number]
type Zoomed = Selection<HTMLElement, unknown, null, undefined>

const closest = 80
const step = 0.18
const stride = 1.4

export interface MapZoom {
  view: RefObject<ZoomTransform>
  /** Shares of the window: (1, 0) moves it by a step to the right. */
  move: (x: number, y: number) => void
  /** Round a place of the whole map if it is in the window, else round the middle. */
  scale: (direction: 1 | -1, round?: Place) => void
  fit: () => void
  /** Takes the view of another map. */
  show: (view: ZoomTransform) => void
  /** Brings a place of the whole map into the window, and leaves the window alone where it is there already. */
  reveal: (place: Place) => void
}

const always = () => true

/** As d3 has it: the first button, without a key that means something else. */
const isPlain = (event: MouseEvent | TouchEvent) => !event.ctrlKey && !('button' in event && event.button !== 0)

/**
 * Wheel, drag and pinch on `element`, and the same by keys. `onView` gets every change. Where `mayMove` returns false, a
 * press does not begin to drag the map.
 */
export function useMapZoom(
  element: RefObject<HTMLElement | null>,
  size: Size,
  onView: (view: ZoomTransform) => void,
  mayMove: (event: MouseEvent | TouchEvent) => boolean = always,
): MapZoom {
  const view = useRef<ZoomTransform>(zoomIdentity)
  const behaviour = useRef<ZoomBehavior<HTMLElement, unknown> | null>(null)
  const { width, height } = size
  useEffect(() => {
    const target = element.current
    if (!target || width === 0) return
    const own = zoom<HTMLElement, unknown>()
      .scaleExtent([1, closest])
      .extent([
        [0, 0],
        [width, height],
      ])
      .translateExtent([
        [-width / 2, -height / 2],
        [1.5 * width, 1.5 * height],
      ])
      .filter((event: MouseEvent | TouchEvent) => event.type === 'wheel' || (isPlain(event) && mayMove(event)))
      .on('zoom', (event: { transform: ZoomTransform }) => {
        view.current = event.transform
        onView(event.transform)
      })
    behaviour.current = own
    const selection = select<HTMLElement, unknown>(target)
    selection.call(own).on('dblclick.zoom', null)
    own.transform(selection, zoomIdentity)
    return () => {
      selection.on('.zoom', null)
      behaviour.current = null
    }
  }, [element, width, height, onView, mayMove])

  const withZoom = (act: (own: ZoomBehavior<HTMLElement, unknown>, target: Zoomed) => void) => {
    if (behaviour.current && element.current) act(behaviour.current, select<HTMLElement, unknown>(element.current))
  }
  const seenAt = ([x, y]: Place): [number, number] | null => {
    const [seenX, seenY] = view.current.apply([x, y])
    return seenX >= 0 && seenY >= 0 && seenX <= width && seenY <= height ? [seenX, seenY] : null
  }
  return {
    view,
    move: (x, y) =>
      withZoom((own, target) => {
        const { k } = view.current
        own.translateBy(target, (-x * step * width) / k, (-y * step * height) / k)
      }),
    scale: (direction, round) =>
      withZoom((own, target) => {
        const at = round && seenAt(round)
        if (at) own.scaleBy(target, stride ** direction, at)
        else own.scaleBy(target, stride ** direction)
      }),
    show: (other) => {
      const { x, y, k } = view.current
      if (x !== other.x || y !== other.y || k !== other.k) withZoom((own, target) => own.transform(target, other))
    },
    fit: () => withZoom((own, target) => own.transform(target, zoomIdentity)),
    reveal: (place) =>
      withZoom((own, target) => {
        if (!seenAt(place)) own.translateTo(target, ...place)
      }),
  }
}

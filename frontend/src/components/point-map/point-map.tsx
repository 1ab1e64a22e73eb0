import type { ZoomTransform } from 'd3-zoom'
import {
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react'
import { FewPoints, mostFew, useFewPoints } from './few-points'
import { finderOf } from './nearest'
import { type Corner, onWholeMap, pointsInside } from './outline'
import { OutlineShape } from './outline-shape'
import { place, type Placed, type Points, type Size } from './place'
import styles from './point-map.module.css'
import { type Layers, useGlPoints } from './use-gl-points'
import { type MapZoom, useMapZoom } from './use-map-zoom'
import { type Tool, useOutline } from './use-outline'
import { usePointing } from './use-pointing'
import { useSize } from './use-size'
import type { ViewLink } from './view-link'

export interface PointMapHandle extends Pick<MapZoom, 'move' | 'scale' | 'fit'> {
  reveal: (index: number) => void
  hasFocus: () => boolean
}

export interface PointMapProps {
  label: string
  /** The id of the words that say which keys there are. */
  describedBy: string
  /** Pass the same object while the points are the same. */
  points: Points
  isShown: (index: number) => boolean
  layers: Layers
  tool: Tool
  /** Lets the page's keys reach the map. */
  handle: RefObject<PointMapHandle | null>
  link: ViewLink
  /** What a browser without WebGL says. */
  cannotDraw: string
  onHover: (index: number | null) => void
  onPick: (index: number | null) => void
  /** What a lasso or a box holds, of the points that are shown. */
  onOutline: (indices: Int32Array) => void
  /** What is drawn over the dots of the points on the screen, at their places on the whole map, where they are few. */
  drawFew?: (indices: readonly number[], placed: Placed, size: Size) => ReactNode
  /** What lies over the map. */
  children?: ReactNode
}

const padding = 24
// Room for half of what is drawn in place of a dot.
const widePadding = 60
const reachOfFew = 40

/** Points on a plane, as many as a graphics card draws. Drag, wheel, pinch or keys move it; a lasso or a box takes. */
export function PointMap(props: PointMapProps) {
  const { points, isShown, layers, tool, handle, link, onHover, onPick, onOutline, drawFew } = props
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const size = useSize(box)
  const isWide = drawFew !== undefined && points.xs.length <= mostFew
  const placed = useMemo(() => place(points, size, isWide ? widePadding : padding), [points, size, isWide])
  const find = useMemo(() => finderOf(placed, isShown), [placed, isShown])
  const requestFrame = useRef<() => void>(() => undefined)
  const follow = useRef<(view: ZoomTransform) => void>(() => undefined)
  const followFew = useRef<(view: ZoomTransform) => void>(() => undefined)
  const onView = useCallback(
    (view: ZoomTransform) => {
      requestFrame.current()
      followFew.current(view)
      link.tell(view)
    },
    [link],
  )
  const mayMove = useCallback((event: MouseEvent | TouchEvent) => tool === 'move' && !event.shiftKey, [tool])
  const map = useMapZoom(box, size, onView, mayMove)
  const few = useFewPoints({ placed, size, isShown, isWanted: drawFew !== undefined })
  useEffect(() => {
    followFew.current = few.follow
  }, [few.follow])
  const { request, canDraw } = useGlPoints(canvas, map.view, { placed, size, layers })
  useImperativeHandle(handle, () => ({
    ...map,
    reveal: (index) => map.reveal([placed.xs[index] ?? 0, placed.ys[index] ?? 0]),
    hasFocus: () => box.current?.contains(document.activeElement) === true,
  }))
  useEffect(() => {
    requestFrame.current = request
  }, [request])
  const { show } = map
  useEffect(() => {
    follow.current = show
  }, [show])
  useEffect(() => {
    const own = (view: ZoomTransform) => follow.current(view)
    return link.join(own)
  }, [link])

  const at = (event: PointerEvent<HTMLElement>): number | null => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    return find(event.clientX - left, event.clientY - top, map.view.current, event.pointerType, few.few.length > 0 ? reachOfFew : 0)
  }
  const end = (corners: readonly Corner[]) =>
    onOutline(pointsInside(placed, onWholeMap(corners, map.view.current)).filter(isShown))
  const outline = useOutline(tool, end)
  const pointing = usePointing({ at, outline, onPick, onHover })
  return (
    <div className={styles.frame}>
      <div
        ref={box}
        className={tool === 'move' ? styles.map : styles.drawing}
        role="application"
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- an application takes the focus and its keys
        tabIndex={0}
        aria-label={props.label}
        aria-describedby={props.describedBy}
        {...pointing}
      >
        <canvas ref={canvas} className={styles.canvas} aria-hidden="true" />
        {drawFew && <FewPoints layer={few.layer}>{few.few.length > 0 && drawFew(few.few, placed, size)}</FewPoints>}
        <OutlineShape corners={outline.corners} />
      </div>
      {!canDraw && <p className={styles.note}>{props.cannotDraw}</p>}
      {props.children}
    </div>
  )
}

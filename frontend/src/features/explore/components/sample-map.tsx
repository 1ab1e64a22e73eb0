import {
  type CSSProperties,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { FewPictures } from '@/components/point-map/few-pictures'
import { FewPoints, isNarrow, mostFew, useFewPoints } from '@/components/point-map/few-points'
import { finderOf } from '@/components/point-map/nearest'
import { onWholeMap, pointsInside } from '@/components/point-map/outline'
import { OutlineShape } from '@/components/point-map/outline-shape'
import { place, type Placed, shapeOf, type View } from '@/components/point-map/place'
import { type MapZoom, useMapZoom } from '@/components/point-map/use-map-zoom'
import { type Tool, useOutline } from '@/components/point-map/use-outline'
import { usePointing } from '@/components/point-map/use-pointing'
import { useSize } from '@/components/point-map/use-size'
import { ActionIconButton } from '@/components/ui/action-button'
import { cx } from '@/components/ui/cx'
import { useActions } from '@/lib/actions/action-context'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/explore'
import { exploreActions } from '../actions'
import type { Cloud } from '../state/cloud'
import { usePainting } from '../state/use-painting'
import { usePalette } from '../state/use-palette'
import styles from './sample-map.module.css'

export interface SampleMapProps {
  slug: string
  cloud: Cloud
  /** So many of the first picks count as picked. */
  shown: number
  /** The point whose photograph is shown. */
  marked: number | null
  onHover: (index: number | null) => void
  onMark: (index: number | null) => void
  onOpen: (index: number) => void
  /** A colour for each point; null where only the sample tells them apart. */
  colours: readonly string[] | null
  tool: Tool
  /** The points that a lasso or a box holds. */
  onTake: (indices: Int32Array) => void
}

const padding = 28
// Room for half of a photograph, and how far from its middle a pointer still means it.
const widePadding = 60
const reachOfFew = 40
const always = () => true

/**
 * Every image of a sample as a dot, or as a photograph where few are on the screen: near ones look alike. Drag, wheel,
 * pinch or keys move it.
 */
export function SampleMap(props: SampleMapProps) {
  const { slug, cloud, shown, marked, onHover, onMark, onOpen, colours, tool, onTake } = props
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const size = useSize(box)
  const [canDraw] = useState(() => document.createElement('canvas').getContext('2d') !== null)
  const palette = usePalette()
  const placed = useMemo(
    () => place(cloud, size, cloud.images.length <= mostFew && !isNarrow(size) ? widePadding : padding),
    [cloud, size],
  )
  const find = useMemo(() => finderOf(placed), [placed])
  const requestFrame = useRef<() => void>(() => undefined)
  const { layer, few, follow } = useFewPoints({ placed, size, isShown: always, isWanted: true })
  const onView = useCallback(
    (view: View) => {
      requestFrame.current()
      follow(view)
    },
    [follow],
  )
  const mayMove = useCallback((event: MouseEvent | TouchEvent) => tool === 'move' && !event.shiftKey, [tool])
  const map = useMapZoom(box, size, onView, mayMove)
  const outline = useOutline(tool, (corners) => onTake(pointsInside(placed, onWholeMap(corners, map.view.current))))
  const request = usePainting(canvas, () => ({ cloud, placed, size, shown, marked, palette, colours, view: map.view.current }))
  useEffect(() => {
    requestFrame.current = request
  }, [request])

  const at = (event: PointerEvent<HTMLElement>): number | null => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    return find(
      event.clientX - left,
      event.clientY - top,
      map.view.current,
      event.pointerType,
      few.length > 0 ? reachOfFew : 0,
    )
  }
  useMapActions({ box, cloud, placed, shown, marked, map, onMark, onOpen })
  const pointing = usePointing({ at, outline, onPick: onMark, onHover })
  return (
    <div className={styles.frame}>
      <div
        ref={box}
        className={cx(styles.map, tool !== 'move' && styles.drawing)}
        style={{ '--map-shape': shapeOf(cloud) } as CSSProperties}
        role="application"
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- an application takes the focus and its keys
        tabIndex={0}
        aria-label={t.mapOf({ n: cloud.images.length, shown: formatCount(shown) })}
        aria-describedby="map-keys"
        {...pointing}
      >
        <canvas ref={canvas} className={styles.canvas} aria-hidden="true" />
        <FewPoints layer={layer}>
          {few.length > 0 && (
            <FewPictures
              slug={slug}
              placed={placed}
              size={size}
              pictures={few.map((index) => {
                const position = cloud.positions[index] ?? 0
                return {
                  index,
                  imageId: cloud.images[index] ?? 0,
                  colour: colours?.[index] ?? (position > 0 && position <= shown ? palette.picked : palette.left),
                  isLooked: index === marked,
                }
              })}
            />
          )}
        </FewPoints>
        <OutlineShape corners={outline.corners} />
      </div>
      <p id="map-keys" className="visually-hidden">
        {t.mapKeys}
      </p>
      {!canDraw && <p className={styles.note}>{t.cannotDraw}</p>}
      <div className={styles.tools}>
        <ActionIconButton id="explore.previous" icon="chevronLeft" />
        <ActionIconButton id="explore.next" icon="chevronRight" />
        <ActionIconButton id="explore.farther" icon="minus" />
        <ActionIconButton id="explore.closer" icon="plus" />
        <ActionIconButton id="explore.fit" icon="fit" />
      </div>
    </div>
  )
}

interface MapKeys extends Pick<SampleMapProps, 'cloud' | 'shown' | 'marked' | 'onMark' | 'onOpen'> {
  box: RefObject<HTMLElement | null>
  map: MapZoom
  placed: Placed
}

function useMapActions({ box, cloud, placed, shown, marked, map, onMark, onOpen }: MapKeys): void {
  const hasFocus = () => box.current?.contains(document.activeElement) === true
  const by = (x: number, y: number) => ({ when: hasFocus, perform: () => map.move(x, y) })
  const placeOf = (index: number) => [placed.xs[index] ?? 0, placed.ys[index] ?? 0] as const
  const round = marked === null ? undefined : placeOf(marked)
  const picked = marked === null ? 0 : (cloud.positions[marked] ?? 0)
  const goTo = (position: number) => {
    const index = cloud.picks[position - 1]
    if (index === undefined) return
    onMark(index)
    map.reveal(placeOf(index))
  }
  useActions(exploreActions, {
    'explore.left': by(-1, 0),
    'explore.right': by(1, 0),
    'explore.up': by(0, -1),
    'explore.down': by(0, 1),
    'explore.closer': () => map.scale(1, round),
    'explore.farther': () => map.scale(-1, round),
    'explore.fit': () => map.fit(),
    'explore.next': () => goTo(Math.min(picked + 1, shown)),
    'explore.previous': () => goTo(Math.max(picked - 1, 1)),
    'explore.open': { when: () => marked !== null && hasFocus(), perform: () => marked !== null && onOpen(marked) },
    'explore.clear': { when: () => marked !== null, perform: () => onMark(null) },
  })
}

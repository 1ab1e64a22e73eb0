import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react'
import type { Dots } from '@/components/point-map/gl-points'
import { PointMap, type PointMapHandle } from '@/components/point-map/point-map'
import { ViewLink } from '@/components/point-map/view-link'
import { ActionIconButton } from '@/components/ui/action-button'
import { cx } from '@/components/ui/cx'
import { useActions } from '@/lib/actions/action-context'
import type { Layer, MapData } from '@/lib/caption-map/map-data'
import { type MapColours, useColours } from '@/lib/caption-map/use-colours'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/caption-map'
import { mapActions } from '../actions'
import { useMapReleases } from '../api/get-map-releases'
import { dotsOf, ringsOf } from '../state/dots'
import { type Explorer, useExplorer } from '../state/use-explorer'
import { Legend } from './legend'
import styles from './map-desk.module.css'
import { MapPictures } from './map-pictures'
import { MapTools } from './map-tools'
import { PointDetail } from './point-detail'
import { PointList } from './point-list'
import { PointPreview } from './point-preview'

/** The map, or two of them, and beside it the same in words. */
export function MapDesk({ slug, data }: { slug: string; data: MapData }) {
  const explorer = useExplorer(data, useMapReleases(slug).data)
  const colours = useColours()
  const [hovered, setHovered] = useState<number | null>(null)
  const [link] = useState(() => new ViewLink())
  const search = useRef<HTMLDivElement>(null)
  const handle = useRef<PointMapHandle>(null)
  const { maps, layer, marked, listed } = explorer
  const open = (index: number | null) => {
    explorer.setMarked(index)
    if (index !== null) handle.current?.reveal(index)
  }
  const step = (by: 1 | -1) => {
    const at = marked === null ? -1 : listed.indexOf(marked)
    const next = listed[at < 0 ? 0 : Math.min(Math.max(at + by, 0), listed.length - 1)]
    if (next !== undefined) open(next)
  }
  useMapKeys({ explorer, handle, search, step })
  return (
    <>
      <MapTools explorer={explorer} />
      <div className={styles.desk}>
        <div className={cx(styles.maps, maps.length > 1 && styles.two)}>
          {maps.map((dataset, place) => (
            <section key={place} className={styles.one} aria-label={dataset.label}>
              {maps.length > 1 && <h2 className={styles.title}>{dataset.label}</h2>}
              <OneMap
                slug={slug}
                images={data.images}
                explorer={explorer}
                colours={colours}
                dataset={dataset}
                hovered={hovered}
                link={link}
                handle={place === 0 ? handle : undefined}
                onHover={setHovered}
              >
                {hovered !== null && hovered !== marked && place === 0 && (
                  <PointPreview slug={slug} layer={layer} images={data.images} index={hovered} />
                )}
                {place === 0 && <ZoomTools />}
              </OneMap>
            </section>
          ))}
          <p id="map-keys" className="visually-hidden">
            {t.mapKeys}
          </p>
        </div>
        <div className={styles.side}>
          {marked !== null && (
            <PointDetail
              key={`${explorer.kind}-${marked}`}
              slug={slug}
              data={data}
              layer={layer}
              index={marked}
              onClose={() => explorer.setMarked(null)}
            />
          )}
          <Legend explorer={explorer} colours={colours} search={search} />
          <PointList explorer={explorer} colours={colours} slug={slug} images={data.images} onOpen={open} />
        </div>
      </div>
    </>
  )
}

interface MapKeys {
  explorer: Explorer
  handle: RefObject<PointMapHandle | null>
  search: RefObject<HTMLElement | null>
  /** Opens the next point of the list, or the one before. */
  step: (by: 1 | -1) => void
}

function useMapKeys({ explorer, handle, search, step }: MapKeys): void {
  const hasFocus = () => handle.current?.hasFocus() === true
  const by = (x: number, y: number) => ({ when: hasFocus, perform: () => handle.current?.move(x, y) })
  useActions(mapActions, {
    'map.left': by(-1, 0),
    'map.right': by(1, 0),
    'map.up': by(0, -1),
    'map.down': by(0, 1),
    'map.closer': () => handle.current?.scale(1),
    'map.farther': () => handle.current?.scale(-1),
    'map.fit': () => handle.current?.fit(),
    'map.find': () => search.current?.querySelector('input')?.focus(),
    'map.lasso': () => explorer.setTool('lasso'),
    'map.box': () => explorer.setTool('box'),
    'map.move': () => explorer.setTool('move'),
    'map.next': () => step(1),
    'map.previous': () => step(-1),
    'map.clear': explorer.clear,
  })
}

interface OneMapProps {
  slug: string
  images: Layer
  explorer: Explorer
  colours: MapColours
  dataset: Explorer['maps'][number]
  hovered: number | null
  link: ViewLink
  handle: RefObject<PointMapHandle | null> | undefined
  onHover: (index: number | null) => void
  children: ReactNode
}

const noDots: Dots = { indices: new Int32Array(0), colours: new Uint8Array(0) }

function OneMap({ slug, images, explorer, colours, dataset, hovered, link, handle, onHover, children }: OneMapProps) {
  const { layer, column, listed, isNarrowed, marked, tool } = explorer
  const own = useRef<PointMapHandle>(null)
  const { isShown, label } = dataset
  const dots = useMemo(() => dotsOf(column, colours.of, isShown, isNarrowed), [column, colours, isShown, isNarrowed])
  const hits = useMemo(() => {
    if (!isNarrowed) return noDots
    const isHit = new Uint8Array(layer.ids.length)
    listed.forEach((index) => (isHit[index] = 1))
    return dotsOf(column, colours.of, (index) => isHit[index] === 1 && isShown(index))
  }, [layer, column, colours, isShown, isNarrowed, listed])
  const marks = useMemo(() => {
    const both = [marked, hovered].filter((index) => index !== null)
    return ringsOf(both.filter(isShown), colours.focus)
  }, [marked, hovered, isShown, colours])
  const found = useMemo(() => (isNarrowed ? new Set(listed) : null), [isNarrowed, listed])
  const layers = useMemo(() => ({ dots, hits, marks }), [dots, hits, marks])
  const n = formatCount(dots.indices.length)
  const name = layer.kind === 'captions' ? t.mapOfCaptions({ n, label }) : t.mapOfImages({ n, label })
  return (
    <PointMap
      label={name}
      describedBy="map-keys"
      points={layer.points}
      isShown={isShown}
      layers={layers}
      tool={tool}
      handle={handle ?? own}
      link={link}
      cannotDraw={t.cannotDraw}
      onHover={onHover}
      onPick={explorer.setMarked}
      onOutline={explorer.setTaken}
      drawFew={(indices, placed, size) => (
        <MapPictures
          slug={slug}
          layer={layer}
          images={images}
          column={column}
          colours={colours}
          indices={indices}
          placed={placed}
          size={size}
          hits={found}
          looked={[marked, hovered]}
        />
      )}
    >
      {children}
    </PointMap>
  )
}

function ZoomTools() {
  return (
    <div className={styles.zoom}>
      <ActionIconButton id="map.farther" icon="minus" />
      <ActionIconButton id="map.closer" icon="plus" />
      <ActionIconButton id="map.fit" icon="fit" />
    </div>
  )
}

import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { ListFoot, type NextPage, useMoreNearEnd } from '@/components/ui/list-foot'
import type { Project } from '@/lib/api/contract'
import type { CatalogueImage } from '@/lib/api/served'
import { pageSize } from '@/lib/images/get-images'
import { useOffsetTop } from '@/lib/layout/use-offset-top'
import { useWidth } from '@/lib/layout/use-width'
import { isReviewer } from '@/lib/project/roles'
import { t } from '@/messages/catalogue'
import { useImageCounts } from '../api/get-image-counts'
import { useMarks } from '../api/get-marks'
import { justify } from '../state/justify'
import { takeSeen } from '../state/last-seen'
import { rowOf } from '../state/moves'
import { useGalleryFocus } from '../state/use-gallery-focus'
import { GalleryTile } from './gallery-tile'
import styles from './gallery.module.css'

export interface GalleryProps {
  project: Project
  images: readonly CatalogueImage[]
  /** How many there are, loaded or not; -1 while that is not known. */
  total: number
  next: NextPage
  onMore: () => void
}

const gap = 10
const narrow = 640
// Two screens before the end the next page is asked for.
const rowsAhead = 8

/** Photographs in justified rows; only the rows near the window are in the page, however many there are. */
export function Gallery({ project, images, total, next, onMore }: GalleryProps) {
  const grid = useRef<HTMLUListElement>(null)
  const width = useWidth(grid)
  const scrollMargin = useOffsetTop(grid)
  const rows = useMemo(() => justify(images, { width, gap, rowHeight: width < narrow ? 150 : 250 }), [images, width])
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index]?.height ?? 0) + gap,
    overscan: 4,
    scrollMargin,
    scrollPaddingStart: 72,
    scrollPaddingEnd: 24,
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rows])
  const scrollTo = useCallback(
    (index: number) => virtualizer.scrollToIndex(rowOf(rows, index), { align: 'auto' }),
    [virtualizer, rows],
  )
  const { active, setActive, focusOn } = useGalleryFocus({ rows, count: images.length, grid, scrollTo })
  useReturn(project.slug, images, width > 0, focusOn)

  const drawn = virtualizer.getVirtualItems()
  const last = drawn.at(-1)?.index ?? 0
  const isNearEnd = rows.length > 0 && last >= rows.length - rowsAhead
  useMoreNearEnd(isNearEnd, next, onMore)

  const visible = drawn.flatMap((row) => rows[row.index]?.tiles ?? [])
  const pages = visiblePages(
    project,
    images,
    visible.map((tile) => tile.index),
  )
  const counts = useImageCounts(project.slug, pages)
  const marks = useMarks(project.slug, pages)
  const reachable = visible.some((tile) => tile.index === active) ? active : visible[0]?.index
  return (
    <>
      <ul ref={grid} className={styles.grid} aria-label={t.photographs} style={{ height: virtualizer.getTotalSize() }}>
        {/* One flat list: inside nested ones React would take a row's place for its identity and build tiles anew. */}
        {drawn.flatMap((row) =>
          (rows[row.index]?.tiles ?? []).map((tile) => {
            const image = images[tile.index]
            return (
              image && (
                <GalleryTile
                  key={image.id}
                  slug={project.slug}
                  image={image}
                  tile={tile}
                  top={row.start - scrollMargin}
                  height={rows[row.index]?.height ?? 0}
                  total={total}
                  isReachable={tile.index === reachable}
                  counts={counts.get(image.id)}
                  marks={marks.get(image.id)}
                  onFocus={() => setActive(tile.index)}
                />
              )
            )
          }),
        )}
      </ul>
      <ListFoot what={t.photographsInSentence} next={next} onMore={onMore} />
    </>
  )
}

/** Coming back from a photograph, the focus is on it again, once the shell has given it to the new page. */
function useReturn(
  slug: string,
  images: readonly CatalogueImage[],
  isMeasured: boolean,
  focusOn: (index: number) => void,
): void {
  useEffect(() => {
    if (!isMeasured) return
    const timer = setTimeout(() => {
      const imageId = takeSeen(slug)
      const index = imageId === undefined ? -1 : images.findIndex((image) => image.id === imageId)
      if (index >= 0) focusOn(index)
    })
    return () => clearTimeout(timer)
  }, [slug, images, isMeasured, focusOn])
}

/** The ids of the pages that are on the screen, page by page. */
function visiblePages(project: Project, images: readonly CatalogueImage[], indexes: readonly number[]): number[][] {
  const pages = isReviewer(project.role) ? [...new Set(indexes.map((index) => Math.floor(index / pageSize)))] : []
  return pages.map((page) => images.slice(page * pageSize, (page + 1) * pageSize).map((image) => image.id))
}

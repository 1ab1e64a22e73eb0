import { useState } from 'react'
import { save } from '@/components/chart/chart-files'
import { ToGallery } from '@/components/point-map/to-gallery'
import { Button } from '@/components/ui/button'
import { MoreButton } from '@/components/ui/more-button'
import { Pressable } from '@/components/ui/pressable'
import type { Layer } from '@/lib/caption-map/map-data'
import { css, type MapColours } from '@/lib/caption-map/use-colours'
import { t } from '@/messages/caption-map'
import { csvOf } from '../state/csv'
import type { Explorer } from '../state/use-explorer'
import styles from './point-list.module.css'

const pageSize = 50

interface PointListProps {
  slug: string
  images: Layer
  explorer: Explorer
  colours: MapColours
  onOpen: (index: number) => void
}

/** The map in words: the points that are shown, found or outlined, and their file. */
export function PointList({ slug, images, explorer, colours, onOpen }: PointListProps) {
  const { listed, layer, column, isTaken, isNarrowed, marked } = explorer
  const [page, setPage] = useState({ of: listed, n: 1 })
  // Another list begins at its first page.
  const n = page.of === listed ? page.n : 1
  const shown = Array.from(listed.subarray(0, n * pageSize))
  const download = () =>
    save(
      csvOf(layer, listed),
      'text/csv;charset=utf-8',
      `${slug}-${layer.kind === 'captions' ? 'captions' : 'images'}.csv`,
    )
  const count = layer.kind === 'captions' ? t.nCaptions({ n: listed.length }) : t.nImages({ n: listed.length })
  return (
    <section className={styles.box} aria-label={t.list}>
      <p role="status" className="visually-hidden">
        {count}
      </p>
      <div className={styles.head}>
        <h2 className={styles.title}>{count}</h2>
        <Button size="small" icon="download" isDisabled={listed.length === 0} onPress={download}>
          {t.saveCsv}
        </Button>
      </div>
      {isTaken && (
        <div className={styles.deeds}>
          <ToGallery slug={slug} images={imagesOf(layer, images, listed)} />
          <Button size="small" variant="quiet" onPress={() => explorer.setTaken(null)}>
            {t.letGoOutline}
          </Button>
        </div>
      )}
      {listed.length === 0 && <p className={styles.note}>{isNarrowed ? t.nothingFound : t.nothingShown}</p>}
      <ul className={styles.rows}>
        {shown.map((index) => {
          const entry = column.entries[column.codes[index] ?? -1]
          return (
            <li key={index}>
              <Pressable className={styles.row} aria-current={index === marked} onPress={() => onOpen(index)}>
                <span
                  className={styles.dot}
                  {...(entry && { style: { backgroundColor: css(colours.of(entry)) } })}
                  aria-hidden="true"
                />
                <Words layer={layer} index={index} />
                <span className={styles.value}>{entry?.value ? entry.label : ''}</span>
              </Pressable>
            </li>
          )
        })}
      </ul>
      <MoreButton
        hasNextPage={listed.length > shown.length}
        isFetchingNextPage={false}
        fetchNextPage={() => setPage({ of: listed, n: n + 1 })}
      >
        {t.showMore}
      </MoreButton>
    </section>
  )
}

/** The ids of the images of some points, each once, in the order of the list. */
export function imagesOf(layer: Layer, images: Layer, listed: Int32Array): number[] {
  const found = new Set<number>()
  for (const index of listed) {
    const image = layer.imageOf(index)
    if (image !== null && images.isThere(image)) found.add(images.ids[image] ?? 0)
  }
  return [...found]
}

function Words({ layer, index }: { layer: Layer; index: number }) {
  if (layer.kind === 'images') return <span className={styles.text}>{layer.keyOf(index)}</span>
  return (
    <span className={styles.caption} dir="auto">
      {layer.textOf(index)}
    </span>
  )
}

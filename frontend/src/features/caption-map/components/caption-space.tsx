import { useCallback } from 'react'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec } from '@/components/chart/chart-types'
import type { CaptionSpace as Space } from '@/lib/api/served'
import { nColours } from '@/lib/caption-map/columns'
import { t } from '@/messages/caption-map'
import { useCaptionSpace } from '../api/get-caption-space'

type Point = Space['points'][number]

const height = 260

const colourOf = ({ cluster }: Point) =>
  cluster === null ? 'var(--map-none)' : `var(--map-${String((cluster % nColours) + 1)})`

const chosen = ({ is_chosen }: Point) => is_chosen
const symbolOf = (point: Point) => (point.is_chosen ? 'star' : 'circle')
const wordsOf = ({ is_chosen, is_pinned, is_banned }: Point) =>
  is_pinned ? t.pinned : is_banned ? t.banned : is_chosen ? t.chosen : t.notChosen
const lengthOf = ({ is_truncated }: Point) => (is_truncated ? t.longerThanRead : '')
const tipOf = (point: Point) => [point.text, wordsOf(point), lengthOf(point)].filter(Boolean).join('\n')

/** One image's captions by their meaning: the clusters, and the caption that was selected from each. */
export function CaptionSpace({ slug, imageId }: { slug: string; imageId: number }) {
  const { data } = useCaptionSpace(slug, imageId)
  if (!data) return null
  if (data.points.length === 0) return <p>{data.status === 'short_pool' ? t.shortSpace : t.noSpace}</p>
  return <SpaceChart space={data} />
}

function SpaceChart({ space: { points, method } }: { space: Space }) {
  const spec = useCallback<ChartSpec>(
    (plot) => ({
      height,
      inset: 16,
      x: { axis: null },
      y: { axis: null },
      marks: [
        plot.dot(points, {
          x: 'x',
          y: 'y',
          r: (point: Point) => (point.is_chosen ? 7 : 4),
          symbol: symbolOf,
          fill: colourOf,
          stroke: 'var(--surface)',
        }),
        plot.tip(points, plot.pointer({ x: 'x', y: 'y', title: tipOf })),
      ],
    }),
    [points],
  )
  return (
    <Chart
      isSub
      title={t.captionSpace}
      spec={spec}
      n={t.nCaptions({ n: points.length })}
      how={method === 'umap_kmeans' ? t.byUmap : t.byAxes}
      table={{
        columns: [
          { title: t.caption, value: ({ text }) => text },
          { title: t.cluster, value: ({ cluster }) => (cluster === null ? null : cluster + 1) },
          { title: t.chosenColumn, value: wordsOf },
          ...(points.some(({ is_truncated }) => is_truncated) ? [{ title: t.length, value: lengthOf }] : []),
        ],
        rows: points.toSorted((a, b) => Number(chosen(b)) - Number(chosen(a)) || (a.cluster ?? -1) - (b.cluster ?? -1)),
      }}
    />
  )
}

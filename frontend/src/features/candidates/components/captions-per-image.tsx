import { useMemo } from 'react'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec } from '@/components/chart/chart-types'
import type { Funnel } from '@/lib/api/served'
import { formatCount, formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/candidates'

type Images = Funnel['per_image'][number]

/** How many kept captions images have: whether some have too few. */
export function CaptionsPerImage({ rows }: { rows: readonly Images[] }) {
  const spec = useMemo(() => specOf(rows), [rows])
  const n = rows.reduce((sum, row) => sum + row.n_images, 0)
  const kept = rows.reduce((sum, row) => sum + row.n_images * row.n_captions, 0)
  return (
    <Chart<Images>
      title={t.captionsPerImage}
      isSub
      spec={spec}
      table={{
        columns: [
          { title: t.keptCaptions, value: ({ n_captions: captions }) => captions, format: formatCount },
          { title: t.images, value: ({ n_images: images }) => images, format: formatCount },
        ],
        rows,
      }}
      n={t.imagesWithMean({ n: formatCount(n), mean: formatDecimal(n ? kept / n : 0, 1) })}
      how={t.howPerImage}
    />
  )
}

const mostBars = 30

/** One bar for each number, or, where the numbers reach far, for a few together. */
function specOf(rows: readonly Images[]): ChartSpec {
  const most = rows.at(-1)?.n_captions ?? 0
  const width = Math.max(1, Math.ceil((most + 1) / mostBars))
  const sums = new Map<number, number>()
  for (const { n_captions: captions, n_images: images } of rows) {
    const from = Math.floor(captions / width) * width
    sums.set(from, (sums.get(from) ?? 0) + images)
  }
  const bars = [...sums].map(([from, images]) => ({ from, to: from + width, images }))
  const last = (Math.floor(most / width) + 1) * width
  return (plot, room) => ({
    width: room,
    height: 180,
    marginLeft: 48,
    marginRight: 16,
    marginBottom: 40,
    x: { domain: [-0.5, last - 0.5], ticks: Math.min(last, Math.floor(room / 60)), label: t.keptCaptions, labelAnchor: 'center' },
    y: { ticks: 4, tickFormat: formatCount, label: null },
    marks: [
      plot.gridY({ ticks: 4, stroke: 'var(--line)', strokeOpacity: 1 }),
      plot.rect(bars, { x1: ({ from }: (typeof bars)[number]) => from - 0.5, x2: ({ to }: (typeof bars)[number]) => to - 0.5, y1: 0, y2: 'images', fill: 'var(--curve-1)', inset: 0.5 }),
      plot.ruleY([0], { stroke: 'var(--line-strong)' }),
      plot.tip(
        bars,
        plot.pointerX({
          x: ({ from, to }: (typeof bars)[number]) => (from + to - 1) / 2,
          y: 'images',
          title: ({ from, to, images }: (typeof bars)[number]) =>
            `${width === 1 ? formatCount(from) : `${formatCount(from)}–${formatCount(to - 1)}`}: ${formatCount(images)}`,
        }),
      ),
    ],
  })
}

import { useMemo } from 'react'
import { labelColours, labels, totalOf } from '@/components/answer-days/answer-days'
import { Later } from '@/components/burn-down/later'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec } from '@/components/chart/chart-types'
import type { Overview } from '@/lib/api/served'
import { sourceName } from '@/lib/candidates/source-name'
import { formatCount, formatShare, formatWholeShare } from '@/lib/format/numbers'
import { t } from '@/messages/overview'
import type { Words } from '../state/labels'
import { LabelSplit } from './label-split'

type Source = Overview['sources'][number]

/** Which sources bring good captions: the labels of each source as one bar. */
export function SourceBars({ overview: { sources, labels: counts }, words }: { overview: Overview; words: Words }) {
  const spec = useMemo(() => specOf(sources), [sources])
  if (sources.length === 0) return <Later title={t.bySource}>{t.noPeopleHint}</Later>
  return (
    <Chart<Source>
      title={t.bySource}
      spec={spec}
      table={{
        columns: [
          { title: t.source, value: ({ source }) => sourceName(source) },
          { title: t.answers, value: (row) => totalOf(row.labels), format: formatCount },
          { title: words.labels.good, value: (row) => row.labels.good / totalOf(row.labels), format: formatShare },
          { title: words.labels.bad, value: (row) => row.labels.bad / totalOf(row.labels), format: formatShare },
          { title: words.labels.unsure, value: (row) => row.labels.unsure / totalOf(row.labels), format: formatShare },
        ],
        rows: sources,
      }}
      n={t.answersN({ n: totalOf(counts) })}
      how={t.howBySource}
      lead={<LabelSplit counts={counts} words={words} />}
    />
  )
}

function specOf(sources: readonly Source[]): ChartSpec {
  const parts = sources.flatMap(({ source, labels: counts }) => {
    const total = totalOf(counts)
    let before = 0
    return labels.map((label) => {
      const [x1, x2] = [before, before + (total ? counts[label] / total : 0)]
      before = x2
      return { source: sourceName(source), label, x1, x2, share: x2 - x1 }
    })
  })
  const sums = sources.map((row) => ({ source: sourceName(row.source), n: totalOf(row.labels) }))
  return (plot, width) => {
    const left = Math.min(150, width / 3.2)
    const perShare = width - left - 60
    return {
      width,
      height: 30 + 34 * sources.length,
      marginLeft: left,
      marginRight: 60,
      marginTop: 4,
      marginBottom: 26,
      x: { domain: [0, 1], ticks: [0, 0.5, 1], tickFormat: formatWholeShare, label: null },
      y: { domain: sums.map(({ source }) => source), label: null, tickSize: 0 },
      marks: [
        ...labels.map((label) =>
          plot.barX(
            parts.filter((part) => part.label === label),
            { y: 'source', x1: 'x1', x2: 'x2', fill: labelColours[label], insetTop: 4, insetBottom: 4, insetRight: 1 },
          ),
        ),
        plot.text(
          parts.filter(({ share }) => share * perShare > 38),
          {
            y: 'source',
            x: ({ x1, x2 }: (typeof parts)[number]) => (x1 + x2) / 2,
            text: ({ share }: (typeof parts)[number]) => formatWholeShare(share),
            fill: 'var(--on-label)',
          },
        ),
        plot.text(sums, {
          y: 'source',
          x: 1,
          dx: 6,
          textAnchor: 'start',
          text: ({ n }: (typeof sums)[number]) => formatCount(n),
        }),
      ],
    }
  }
}

import { useMemo } from 'react'
import { labelColours, labels, totalOf } from '@/components/answer-days/answer-days'
import { Later } from '@/components/burn-down/later'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec } from '@/components/chart/chart-types'
import { stackedRows } from '@/components/chart/stacked-rows'
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
  const rows = sources.map(({ source, labels: counts }) => {
    const total = totalOf(counts)
    return {
      name: sourceName(source),
      parts: labels.map((label) => {
        const size = total ? counts[label] / total : 0
        return { size, fill: labelColours[label], said: formatWholeShare(size) }
      }),
      end: formatCount(total),
    }
  })
  return stackedRows(rows, { max: 1, ticks: [0, 0.5, 1], tickFormat: formatWholeShare })
}

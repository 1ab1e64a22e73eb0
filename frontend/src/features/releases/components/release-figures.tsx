import { useCallback } from 'react'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec } from '@/components/chart/chart-types'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { ReleaseFigures } from '@/lib/api/served'
import { sourceName } from '@/lib/candidates/source-name'
import { formatCount, formatShare, formatWholeShare } from '@/lib/format/numbers'
import { t } from '@/messages/releases'
import { useFigures } from '../api/get-figures'
import type { ReleaseSource } from '../api/source'
import { difficultyNames, labelNames, lensNames, splitNames } from '../names'
import styles from './release-figures.module.css'

/** What is in the release, as drawings with their tables. */
export function ReleaseFiguresView({ source }: { source: ReleaseSource }) {
  const { data, error, isPending, refetch } = useFigures(source)
  return (
    <section className={styles.section} aria-labelledby="figures">
      <h2 id="figures" className={styles.title}>
        {t.figures}
      </h2>
      {isPending && <Skeleton label={t.theFigures} rows={6} />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && <Drawings figures={data} />}
    </section>
  )
}

function Drawings({ figures }: { figures: ReleaseFigures }) {
  const captions = t.captionsColumn
  const images = t.imagesColumn
  const sources = figures.sources.map(({ name, n }) => ({ name: name && sourceName(name), n }))
  return (
    <div className={styles.grid}>
      <Counts
        title={t.difficultyTitle}
        unit={captions}
        rows={figures.difficulty}
        names={difficultyNames}
        order={Object.keys(difficultyNames)}
        how={t.difficultyHow}
      />
      <Agreement bins={figures.agreement} without={figures.n_without_votes} />
      <Counts title={t.sourcesTitle} unit={captions} rows={sources} how={t.sourcesHow} />
      <Counts
        title={t.votesTitle}
        unit={t.answersColumn}
        rows={figures.votes}
        names={labelNames}
        order={Object.keys(labelNames)}
        how={t.votesHow}
      />
      {figures.lenses && (
        <Counts title={t.lensesTitle} unit={captions} rows={figures.lenses} names={lensNames} how={t.lensesHow} />
      )}
      <Counts title={t.captionsTitle} unit={images} rows={figures.captions_per_image} how={t.captionsHow} />
      <Counts
        title={t.splitsTitle}
        unit={images}
        rows={figures.splits}
        names={splitNames}
        order={Object.keys(splitNames)}
        how={t.splitsHow}
      />
      <Counts title={t.licencesTitle} unit={images} rows={figures.licences} how={t.licencesHow} />
    </div>
  )
}

type Count = ReleaseFigures['sources'][number]

interface CountsProps {
  title: string
  /** What is counted: the title of the column of numbers. */
  unit: string
  rows: readonly Count[]
  how: string
  names?: Readonly<Record<string, string>>
  /** These first, in this order; without it, as the server sends them. */
  order?: readonly string[]
}

const most = 12

/** One bar for each name. A long list ends in one bar for the rest, and the table has all. */
function Counts({ title, unit, rows, how, names = {}, order }: CountsProps) {
  const inOrder = order ? rows.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name)) : rows
  const named = inOrder.map(({ name, n }) => ({ name: names[name] ?? (name || t.unnamed), n }))
  const total = rows.reduce((sum, { n }) => sum + n, 0)
  const drawn = JSON.stringify(shorten(named))
  const spec = useCallback<ChartSpec>(
    (plot, width) => barsOf(JSON.parse(drawn) as Count[], total)(plot, width),
    [drawn, total],
  )
  return (
    <Chart<Count>
      title={title}
      isSub
      spec={spec}
      table={{
        columns: [
          { title: t.name, value: ({ name }) => name },
          { title: unit, value: ({ n }) => n, format: formatCount },
          { title: t.share, value: ({ n }) => (total ? n / total : null), format: formatShare },
        ],
        rows: named,
      }}
      n={t.nOf({ n: total, unit })}
      how={how}
    />
  )
}

function shorten(rows: readonly Count[]): Count[] {
  if (rows.length <= most) return [...rows]
  const rest = rows.slice(most - 1)
  return [
    ...rows.slice(0, most - 1),
    { name: t.others({ n: rest.length }), n: rest.reduce((sum, { n }) => sum + n, 0) },
  ]
}

const barsOf =
  (rows: readonly Count[], total: number): ChartSpec =>
  (plot, width) => ({
    width,
    height: 24 + 26 * rows.length,
    marginLeft: Math.min(170, width / 2.6),
    marginRight: 110,
    marginTop: 4,
    marginBottom: 4,
    x: { axis: null, domain: [0, Math.max(1, ...rows.map(({ n }) => n))] },
    y: { domain: rows.map(({ name }) => name), label: null, tickSize: 0, tickFormat: clip },
    marks: [
      plot.barX(rows, { y: 'name', x: 'n', fill: 'var(--curve-1)', insetTop: 2, insetBottom: 2 }),
      plot.text(rows, {
        y: 'name',
        x: 'n',
        text: ({ n }: Count) => `${formatCount(n)} (${formatShare(total ? n / total : 0)})`,
        textAnchor: 'start',
        dx: 5,
      }),
    ],
  })

const clip = (name: string): string => (name.length > 24 ? `${name.slice(0, 23)}…` : name)

type Bin = ReleaseFigures['agreement'][number]

const binName = ({ low, high }: Bin): string => t.fromTo({ low: formatWholeShare(low), high: formatWholeShare(high) })

/** How sure people were of the captions. */
function Agreement({ bins, without }: { bins: readonly Bin[]; without: number }) {
  const spec = useCallback<ChartSpec>(
    (plot) => ({
      height: 200,
      marginLeft: 48,
      marginBottom: 40,
      x: { domain: [0, 1], label: t.shareGood, tickFormat: (value: number) => formatWholeShare(value), ticks: 5 },
      y: {
        label: t.captionsColumn,
        grid: true,
        ticks: 4,
        tickFormat: (value: number) => (value % 1 ? '' : formatCount(value)),
      },
      marks: [
        plot.rectY(bins, { x1: 'low', x2: 'high', y: 'n', fill: 'var(--curve-1)', inset: 1 }),
        plot.ruleY([0], { stroke: 'var(--line-strong)' }),
      ],
    }),
    [bins],
  )
  const total = bins.reduce((sum, { n }) => sum + n, 0)
  return (
    <Chart<Bin>
      title={t.agreementTitle}
      isSub
      spec={spec}
      table={{
        columns: [
          { title: t.shareGood, value: binName },
          { title: t.captionsColumn, value: ({ n }) => n, format: formatCount },
        ],
        rows: bins,
      }}
      n={t.nOf({ n: total, unit: t.captionsColumn })}
      how={without > 0 ? `${t.agreementHow} ${t.withoutVotes({ n: without })}` : t.agreementHow}
    />
  )
}

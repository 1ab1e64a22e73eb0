import { useMemo, useState } from 'react'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec } from '@/components/chart/chart-types'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { asApiError } from '@/lib/api/api-error'
import type { Robustness } from '@/lib/api/served'
import { formatCount, formatDecimal, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/difficulty'
import { useRobustness } from '../api/get-difficulty'
import styles from './difficulty-page.module.css'

const figure = (value: number) => formatDecimal(value, 3)

/** How far the categories hang on which models were asked. */
export function RobustnessView({ slug }: { slug: string }) {
  const [seed, setSeed] = useState(0)
  const { data, error, isPending, isFetching, refetch } = useRobustness(slug, seed)
  const isTooFew = error && asApiError(error).code === 'too_few_models'
  return (
    <section className={styles.section} aria-labelledby="robustness">
      <h2 id="robustness" className={styles.title}>
        {t.robustness}
      </h2>
      <p className={styles.note}>{t.robustnessLead}</p>
      {isPending && <Skeleton label={t.theRobustness} rows={3} />}
      {isTooFew && (
        <EmptyState title={t.robustnessNone} icon="search">
          {t.robustnessHow}
        </EmptyState>
      )}
      {error && !isTooFew && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && !error && (
        <>
          <Report report={data} />
          <div>
            <Button isPending={isFetching} onPress={() => setSeed((last) => last + 1)}>
              {t.drawAgain}
            </Button>
          </div>
        </>
      )}
    </section>
  )
}

function Report({ report }: { report: Robustness }) {
  const rows = useMemo(() => comparisonsOf(report), [report])
  const kappas = useMemo(() => kappasOf(rows), [rows])
  const influence = useMemo(() => influenceOf(report.influence), [report])
  const n = t.nPanels({
    panels: report.panels.length,
    size: report.size,
    models: report.n_models,
    captions: formatCount(report.n_captions),
  })
  return (
    <>
      <Chart<Comparison>
        title={t.kappaTitle}
        spec={kappas}
        isSub
        table={{
          columns: [
            { title: t.comparison, value: ({ comparison }) => comparison },
            { title: t.kind, value: ({ kind }) => kind },
            { title: t.least, value: ({ least }) => least, format: figure },
            { title: t.mean, value: ({ mean }) => mean, format: figure },
            { title: t.most, value: ({ most }) => most, format: figure },
            { title: t.nComparisons, value: (row) => row.n },
            { title: t.undefinedKappa, value: (row) => row.n_undefined },
          ],
          rows,
        }}
        n={n}
        how={[t.howKappa({ seed: report.seed }), report.n_left_out > 0 ? t.leftOut({ n: report.n_left_out }) : '']
          .filter(Boolean)
          .join(' ')}
      />
      <Chart<Influence>
        title={t.influenceTitle}
        spec={influence}
        isSub
        table={{
          columns: [
            { title: t.model, value: ({ model }) => model },
            { title: t.influence, value: ({ changed_share: share }) => share, format: formatShare },
            { title: t.kappaWithout, value: ({ kappa_without: kappa }) => kappa, format: figure },
            { title: t.inReference, value: ({ changed_in_reference: share }) => share, format: formatShare },
          ],
          rows: report.influence,
        }}
        n={n}
        how={t.howInfluence}
      />
    </>
  )
}

type Influence = Robustness['influence'][number]
type Spread = Robustness['between']['nominal']

interface Comparison extends Spread {
  name: string
  comparison: string
  kind: string
}

function comparisonsOf({ between, with_reference: reference }: Robustness): Comparison[] {
  const sets = [
    { comparison: t.between, kappas: between },
    ...(reference ? [{ comparison: t.withReference, kappas: reference }] : []),
  ]
  return sets.flatMap(({ comparison, kappas }) =>
    (['nominal', 'linear'] as const).map((kind) => {
      const word = kind === 'nominal' ? t.plain : t.linear
      return { ...kappas[kind], comparison, kind: word, name: `${comparison}, ${word}` }
    }),
  )
}

const kappasOf =
  (rows: readonly Comparison[]): ChartSpec =>
  (plot, width) => {
    const isNarrow = width < 520
    const known = rows.filter(({ mean }) => mean !== null)
    const least = Math.min(0, ...known.map((row) => row.least ?? 0))
    return {
      width,
      height: isNarrow ? 220 : 180,
      marginLeft: isNarrow ? 12 : 260,
      marginRight: 40,
      x: { domain: [least, 1], label: null, grid: true },
      y: { domain: rows.map(({ name }) => name), label: null, ...(isNarrow && { axis: null }) },
      marks: [
        plot.ruleY(known, { y: 'name', x1: 'least', x2: 'most', stroke: 'var(--curve-1)', strokeWidth: 3 }),
        plot.dot(known, { y: 'name', x: 'mean', r: 5, fill: 'var(--curve-1)' }),
        plot.text(known, { y: 'name', x: 'mean', dy: 16, text: ({ mean }: Comparison) => figure(mean ?? 0) }),
        ...(isNarrow ? [plot.text(rows, { y: 'name', x: least, dy: -14, text: 'name', textAnchor: 'start' })] : []),
      ],
    }
  }

const influenceOf =
  (rows: readonly Influence[]): ChartSpec =>
  (plot, width) => ({
    width,
    height: 40 + 22 * rows.length,
    marginLeft: Math.min(180, width / 3),
    marginRight: 56,
    x: { percent: true, label: null, grid: true },
    y: { domain: [...rows].sort(byInfluence).map(({ model }) => model), label: null },
    marks: [
      plot.barX(rows, { y: 'model', x: 'changed_share', fill: 'var(--curve-1)' }),
      plot.text(rows, {
        y: 'model',
        x: 'changed_share',
        text: ({ changed_share: share }: Influence) => (share === null ? '' : formatShare(share)),
        textAnchor: 'start',
        dx: 4,
      }),
    ],
  })

const byInfluence = (a: Influence, b: Influence) => (b.changed_share ?? 0) - (a.changed_share ?? 0)

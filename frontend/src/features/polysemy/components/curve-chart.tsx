import { useMemo } from 'react'
import { Chart } from '@/components/chart/chart'
import type { PolysemyReport } from '@/lib/api/served'
import { formatCount, formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/polysemy'
import { leadOf, type Measure, type Row, rowsOf } from '../state/curves'
import { curvesSpec } from '../state/curves-spec'
import styles from './polysemy-page.module.css'

const decimals = (value: number): string => formatDecimal(value, 4)

/** One measure of every corpus over the radius, what it comes to, and its figures. */
export function CurveChart({ report, measure, isLog }: { report: PolysemyReport; measure: Measure; isLog: boolean }) {
  const rows = useMemo(() => rowsOf(report, measure), [report, measure])
  const spec = useMemo(() => curvesSpec(rows, measure, isLog), [rows, measure, isLog])
  const lead = leadOf(report, measure)
  const hasBands = rows.some(({ low }) => low !== null)
  return (
    <Chart<Row>
      title={measure.title}
      spec={spec}
      table={{
        columns: [
          { title: t.corpus, value: ({ corpus }) => corpus },
          { title: t.radius, value: ({ radius }) => radius, format: formatCount },
          { title: measure.unit, value: ({ value }) => value, format: decimals },
          { title: t.low, value: ({ low }) => low, format: decimals },
          { title: t.high, value: ({ high }) => high, format: decimals },
          { title: t.queries, value: ({ n }) => n, format: formatCount },
        ],
        rows,
      }}
      n={t.nQueries({ n: report.corpora.map(({ n_queries: n }) => formatCount(n)).join(', ') })}
      how={`${measure.explanation} ${hasBands ? t.howBands : t.noBands}`}
      lead={lead && <p className={styles.lead}>{lead}</p>}
    />
  )
}

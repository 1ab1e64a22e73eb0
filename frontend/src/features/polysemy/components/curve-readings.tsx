import { cx } from '@/components/ui/cx'
import type { PolysemyReport } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/polysemy'
import { type Measure, pointAt } from '../state/curves'
import { lookOf } from './curve-chart'
import styles from './curve-readings.module.css'
import { Decimal } from './decimal'

export interface CurveReadingsProps {
  report: PolysemyReport
  measure: Measure
  radius: number
}

/** What each line says at the radius that is read, and of how many queries; also which line is whose. */
export function CurveReadings({ report, measure, radius }: CurveReadingsProps) {
  return (
    <ul className={styles.list} aria-label={t.atRadius({ title: measure.title, radius: formatCount(radius) })}>
      {report.corpora.map(({ corpus }, number) => {
        const point = pointAt(report, number, radius)
        const value = point?.[measure.id] ?? null
        return (
          <li key={corpus} className={styles.row}>
            <svg className={cx(styles.sample, lookOf(number))} width={28} height={8} aria-hidden="true">
              <line x1={0} x2={28} y1={4} y2={4} />
            </svg>
            <span className={styles.corpus}>{corpus}</span>
            <span className={styles.value}>
              <Decimal value={value} />
            </span>
            <span className={styles.n}>{t.n({ formatCount: formatCount(point ? measure.n(point) : 0) })}</span>
          </li>
        )
      })}
    </ul>
  )
}

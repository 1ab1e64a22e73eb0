import type { AgreementFigure } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/quality'
import type { Scope } from '../api/get-agreement'
import { formatFigure, formatInterval, sliceName, whyUndefined } from '../state/figures'
import styles from './slice-rows.module.css'
import { Undefined } from './undefined'

export interface SliceRowsProps {
  scope: Scope
  slices: readonly { value: string; figure: AgreementFigure | undefined }[]
}

const least = -0.2
const most = 1
const percent = (value: number) => ((Math.min(Math.max(value, least), most) - least) / (most - least)) * 100

/** A line for each slice: its figure as a dot on the same scale, its interval as a bar, n in grey. */
export function SliceRows({ scope, slices }: SliceRowsProps) {
  return (
    <ul className={styles.rows}>
      {slices.map(({ value, figure }) => (
        <li key={value} className={styles.row}>
          <span className={styles.name}>{sliceName(scope, value)}</span>
          {figure?.value != null && <Scale figure={figure} value={figure.value} />}
          <span className={styles.said}>
            {figure?.value == null ? (
              <small>— {figure ? whyUndefined(figure) : t.notForSlice}</small>
            ) : (
              <>
                <b>{formatFigure(figure.value)}</b> <small>{formatInterval(figure.interval)}</small>{' '}
                <Undefined interval={figure.interval} />
              </>
            )}
          </span>
          <small className={styles.n}>{t.nItems({ nItems: formatCount(figure?.n_items ?? 0) })}</small>
        </li>
      ))}
    </ul>
  )
}

function Scale({ figure, value }: { figure: AgreementFigure; value: number }) {
  const { low, high } = figure.interval ?? { low: null, high: null }
  return (
    <svg className={styles.scale} viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">
      <line className={styles.zero} x1={percent(0)} x2={percent(0)} y1={2} y2={18} />
      {low !== null && high !== null && (
        <line className={styles.interval} x1={percent(low)} x2={percent(high)} y1={10} y2={10} />
      )}
      <line className={styles.dot} x1={percent(value)} x2={percent(value)} y1={10} y2={10} />
    </svg>
  )
}

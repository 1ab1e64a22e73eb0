import { Table } from '@/components/ui/table'
import type { AgreementFigure } from '@/lib/api/served'
import { t } from '@/messages/quality'
import {
  type FigureRow,
  formatFigure,
  intervalInCell,
  intervalInWords,
  measureNames,
  readingNames,
  rowsOf,
  threeReadings,
  whyNoFigure,
  whyUndefined,
} from '../state/figures'
import styles from './quality-page.module.css'
import { Undefined } from './undefined'

/** A row for each measure, a column for each reading of unsure. */
export function FigureTable({ figures }: { figures: readonly AgreementFigure[] }) {
  return (
    <Table<FigureRow>
      label={t.agreement}
      rows={rowsOf(figures)}
      rowId={(row) => row.measure}
      columns={[
        {
          id: 'measure',
          title: t.measure,
          isRowHeader: true,
          cell: (row) => <span className={styles.measure}>{measureNames[row.measure]}</span>,
        },
        ...threeReadings.map((reading) => ({
          id: reading,
          title: readingNames[reading],
          onPhone: 'under' as const,
          cell: (row: FigureRow) => (
            <Figure figure={row.byReading[reading]} whyNone={whyNoFigure(row.measure, reading)} />
          ),
        })),
      ]}
    />
  )
}

/** A figure with its interval, or a dash with the reason why there is none. */
function Figure({ figure, whyNone }: { figure: AgreementFigure | undefined; whyNone: string }) {
  if (figure?.value == null) {
    return (
      <span className={styles.undefined}>
        <span aria-hidden="true">— </span>
        <small>{figure ? whyUndefined(figure) : whyNone}</small>
      </span>
    )
  }
  return (
    <span
      className={styles.figure}
      title={t.restsOn({ n: figure.n_items, judgments: t.judgmentsN({ n: figure.n_judgments }) })}
    >
      <b>{formatFigure(figure.value)}</b>
      <small title={intervalInWords(figure.interval)}>{intervalInCell(figure.interval)}</small>
      <Undefined interval={figure.interval} />
    </span>
  )
}

import { asCsv, save } from '@/components/chart/chart-files'
import type { ChartTable } from '@/components/chart/chart-types'
import type { AnnotatorRow } from '@/lib/api/figures'
import { t } from '@/messages/quality'
import { nameOf } from './agreement-words'
import { agreementOf } from './annotator-list'
import { flagName } from './flag-words'
import { personLooks } from './quality-words'

/** The table of annotators as it is shown, with raw numbers and each share's bounds. */
export function saveTable(rows: readonly AnnotatorRow[]): void {
  const columns: ChartTable<AnnotatorRow>['columns'] = [
    { title: t.annotator, value: ({ user }) => nameOf(user) },
    { title: t.state, value: ({ state }) => personLooks[state].name },
    { title: t.flags, value: ({ flags }) => flags.map(flagName).join('; ') },
    ...shareColumns(t.controlsPassed, ({ passed }) => passed),
    ...shareColumns(t.withMost, agreementOf),
    { title: t.kappa, value: ({ habits }) => habits?.kappa.value ?? null },
    { title: t.secondsEach, value: ({ seconds }) => seconds },
    { title: t.pace, value: ({ pace }) => pace ?? null },
    { title: t.activeTime, value: ({ active_seconds: seconds }) => seconds ?? null },
    { title: t.hits, value: ({ hits }) => hits },
    { title: t.skips, value: ({ skips }) => skips },
    { title: t.lastSubmit, value: ({ last_active_at: at }) => at },
  ]
  save(asCsv({ columns, rows }), 'text/csv;charset=utf-8', 'annotators.csv')
}

const shareColumns = (
  title: string,
  shareOf: (row: AnnotatorRow) => AnnotatorRow['passed'],
): ChartTable<AnnotatorRow>['columns'] => [
  { title, value: (row) => shareOf(row)?.share ?? null },
  { title: `${title}, n`, value: (row) => shareOf(row)?.n ?? null },
  { title: `${title}, ${t.low}`, value: (row) => shareOf(row)?.low ?? null },
  { title: `${title}, ${t.high}`, value: (row) => shareOf(row)?.high ?? null },
]

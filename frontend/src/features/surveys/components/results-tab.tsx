import { useCallback, useState } from 'react'
import { Chart } from '@/components/chart/chart'
import type { ChartSpec, ChartTable } from '@/components/chart/chart-types'
import { Disclosure } from '@/components/ui/disclosure'
import { DownloadLink } from '@/components/ui/download-link'
import { Facts } from '@/components/ui/facts'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { Table, type TableColumn, type TableSort } from '@/components/ui/table'
import type { Survey, SurveyPairResult, SurveyResults } from '@/lib/api/served'
import { formatCount, formatDecimal, formatShare, formatWholeShare } from '@/lib/format/numbers'
import { t } from '@/messages/surveys'
import { useResults } from '../api/surveys'
import { PairPicture } from './pair-picture'
import styles from './surveys.module.css'

/** How often people call the hardest pairs good: in one figure, as a chart, and pair by pair. */
export function ResultsTab({ slug, survey }: { slug: string; survey: Survey }) {
  const { data, error, refetch } = useResults(slug, survey.id)
  if (error) return <ErrorState error={error} title={t.resultsNotShown} onRetry={() => void refetch()} />
  if (!data) return <Skeleton label={t.theResults} rows={6} />
  const file = (name: string) => `/api/v1/projects/${slug}/surveys/${survey.id}/${name}`
  return (
    <div className={styles.parts}>
      <Agreement results={data} />
      <p className={styles.files}>
        <DownloadLink href={file('pairs.csv')}>{t.pairsCsv}</DownloadLink>
        <DownloadLink href={file('participants.csv')}>{t.participantsCsv}</DownloadLink>
        <DownloadLink href={file('answers.csv')}>{t.answersCsv}</DownloadLink>
        <DownloadLink href={file('results.json')}>{t.resultsJson}</DownloadLink>
      </p>
      <Histogram results={data} />
      <PairTable pairs={data.pairs} />
      <Disclosure summary={t.nDistractors({ n: data.distractors.length })}>
        <p className={styles.note}>{t.distractorsResults}</p>
        <Table
          label={t.distractors}
          columns={distractorColumns}
          rows={data.distractors}
          rowId={({ position }) => String(position)}
        />
      </Disclosure>
    </div>
  )
}

function Agreement({ results }: { results: SurveyResults }) {
  const { agreement, n_counted, n_unfinished, n_excluded } = results
  const { mean, minimum, minimum_n, n_pairs, n_answers, least_n, most_n } = agreement
  return (
    <Facts
      facts={[
        { name: t.meanAgreement, value: mean === null ? t.noAnswersYet : formatShare(mean) },
        {
          name: t.minimumAgreement,
          value: minimum === null ? null : t.shareOfN({ share: formatShare(minimum), n: minimum_n ?? 0 }),
        },
        {
          name: t.answers,
          value: t.answersOf({ answers: n_answers, pairs: n_pairs, least: least_n ?? 0, most: most_n ?? 0 }),
        },
        { name: t.countedParticipants, value: formatCount(n_counted) },
        { name: t.unfinishedParticipants, value: formatCount(n_unfinished) },
        { name: t.excludedParticipants, value: formatCount(n_excluded) },
      ]}
    />
  )
}

type Bin = SurveyResults['histogram'][number]

const binName = ({ low, high }: Bin): string => t.fromTo({ low: formatWholeShare(low), high: formatWholeShare(high) })

const binTable = (rows: readonly Bin[]): ChartTable<Bin> => ({
  columns: [
    { title: t.shareGood, value: binName },
    { title: t.pairs, value: ({ n }) => n },
  ],
  rows,
})

function Histogram({ results: { histogram, agreement } }: { results: SurveyResults }) {
  const spec = useCallback<ChartSpec>(
    (plot) => ({
      height: 240,
      marginLeft: 44,
      marginBottom: 40,
      x: { domain: [0, 1], label: t.shareGood, tickFormat: (value: number) => formatWholeShare(value) },
      y: { label: t.pairs, grid: true, ticks: 4, tickFormat: (value: number) => (value % 1 ? '' : formatCount(value)) },
      marks: [
        plot.rectY(histogram, { x1: 'low', x2: 'high', y: 'n', fill: 'var(--curve-1)', inset: 1 }),
        plot.ruleY([0], { stroke: 'var(--line-strong)' }),
      ],
    }),
    [histogram],
  )
  return (
    <Chart
      title={t.histogramTitle}
      spec={spec}
      table={binTable(histogram)}
      n={t.histogramN({ n: agreement.n_pairs })}
      how={t.histogramHow}
    />
  )
}

const sorts: Record<string, (pair: SurveyPairResult) => number> = {
  position: ({ position }) => position,
  n: ({ n }) => n,
  share: ({ share }) => share?.share ?? -1,
}

function PairTable({ pairs }: { pairs: readonly SurveyPairResult[] }) {
  const [sort, setSort] = useState<TableSort>({ column: 'position', isDescending: false })
  const key = sorts[sort.column] ?? (({ position }: SurveyPairResult) => position)
  const rows = pairs.toSorted((a, b) => (sort.isDescending ? key(b) - key(a) : key(a) - key(b)))
  return (
    <section className={styles.part}>
      <h2>{t.pairByPair}</h2>
      <Table
        label={t.pairs}
        columns={pairColumns}
        rows={rows}
        rowId={({ position }) => String(position)}
        sort={sort}
        onSort={setSort}
      />
    </section>
  )
}

const image: TableColumn<SurveyPairResult> = {
  id: 'image',
  title: t.image,
  onPhone: 'beside',
  cell: (pair) => <PairPicture pair={pair} />,
}
const caption: TableColumn<SurveyPairResult> = {
  id: 'caption',
  title: t.caption,
  isRowHeader: true,
  cell: ({ text }) => (
    <span className={styles.caption} dir="auto">
      {text}
    </span>
  ),
}
const count: TableColumn<SurveyPairResult> = {
  id: 'n',
  title: t.answers,
  isNumber: true,
  onPhone: 'under',
  cell: ({ n }) => formatCount(n),
}
const figure = ({ share }: SurveyPairResult) =>
  share ? (
    <>
      {formatShare(share.share)}{' '}
      <small className={styles.note}>
        {t.interval({ low: formatShare(share.low), high: formatShare(share.high) })}
      </small>
    </>
  ) : (
    <span title={t.noAnswersYet}>–</span>
  )

const pairColumns: readonly TableColumn<SurveyPairResult>[] = [
  image,
  caption,
  {
    id: 'position',
    title: t.rank,
    isNumber: true,
    onPhone: 'under',
    sorts: 'ascending',
    cell: ({ position }) => formatCount(position),
  },
  {
    id: 'score',
    title: t.score,
    isNumber: true,
    onPhone: 'under',
    cell: ({ score }) => (score === null ? '–' : formatDecimal(score, 3)),
  },
  { ...count, sorts: 'descending' },
  { id: 'share', title: t.shareGood, isNumber: true, onPhone: 'under', sorts: 'ascending', cell: figure },
]

const distractorColumns: readonly TableColumn<SurveyPairResult>[] = [
  image,
  caption,
  count,
  { id: 'share', title: t.shareBad, isNumber: true, onPhone: 'under', cell: figure },
]

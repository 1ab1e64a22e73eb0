import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { Table, type TableColumn } from '@/components/ui/table'
import type { Survey, SurveyPair } from '@/lib/api/served'
import { formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/surveys'
import { usePreview } from '../api/surveys'
import { PairPicture } from './pair-picture'
import styles from './surveys.module.css'

/** The pairs and distractors that the draft would ask about now. */
export function PreviewTab({ slug, survey }: { slug: string; survey: Survey }) {
  const { data, error, refetch } = usePreview(slug, survey.id)
  if (error) return <ErrorState error={error} title={t.previewNotShown} onRetry={() => void refetch()} />
  if (!data) return <Skeleton label={t.thePreview} rows={4} />
  return (
    <div className={styles.parts}>
      {data.pairs.length < data.n_asked && (
        <Notice>{t.fewerPairs({ n: data.pairs.length, asked: data.n_asked })}</Notice>
      )}
      <section className={styles.part}>
        <h2>{t.hardestPairs({ n: data.pairs.length })}</h2>
        <Table label={t.pairs} columns={scored} rows={data.pairs} rowId={({ key }) => key} />
      </section>
      <section className={styles.part}>
        <h2>{t.nDistractors({ n: data.distractors.length })}</h2>
        <p className={styles.note}>{t.distractorsNote}</p>
        <Table
          label={t.distractors}
          columns={columns}
          rows={data.distractors}
          rowId={({ position }) => String(position)}
        />
      </section>
    </div>
  )
}

const columns: TableColumn<SurveyPair>[] = [
  { id: 'image', title: t.image, onPhone: 'beside', cell: (pair) => <PairPicture pair={pair} /> },
  {
    id: 'caption',
    title: t.caption,
    isRowHeader: true,
    cell: ({ text }) => (
      <span className={styles.caption} dir="auto">
        {text}
      </span>
    ),
  },
]

const scored: TableColumn<SurveyPair>[] = [
  ...columns,
  {
    id: 'score',
    title: t.score,
    isNumber: true,
    onPhone: 'under',
    cell: ({ score }) => (score === null ? '–' : formatDecimal(score, 3)),
  },
]

import { Link } from '@tanstack/react-router'
import { SortedTable } from '@/components/sorted-table/sorted-table'
import { LabelBadge } from '@/components/ui/badge'
import { useLabelLooks } from '@/components/ui/label-looks'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { Confusion } from '@/lib/api/figures'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/quality'
import { useConfusions } from '../api/figures'
import { nameOf } from '../state/agreement-words'
import { ShareCell } from './annotator-cells'
import styles from './quality-page.module.css'

/** Which two people most often give which two answers to one pair; each line opens those pairs. */
export function ConfusionList({ slug }: { slug: string }) {
  const looks = useLabelLooks()
  const { data, error, isPending, refetch } = useConfusions(slug)
  return (
    <section className={styles.section} aria-labelledby="confusions">
      <h2 id="confusions" className={styles.title}>
        {t.topConfusions}
      </h2>
      <p className={styles.note}>{t.howConfusions}</p>
      {isPending && <Skeleton label={t.topConfusions} rows={4} />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.results.length === 0 && <p className={styles.note}>{t.noConfusions}</p>}
      {data && data.results.length > 0 && (
        <SortedTable<Confusion>
          label={t.topConfusions}
          csvName="differences.csv"
          nFirst={10}
          rows={data.results}
          rowId={(row) => `${row.first.id} ${row.second.id} ${row.first_label} ${row.second_label}`}
          columns={[
            {
              id: 'people',
              title: t.annotators,
              isRowHeader: true,
              value: peopleOf,
              cell: (row) => <PairLink slug={slug} row={row} />,
            },
            {
              id: 'first',
              title: t.firstSaid,
              onPhone: 'under',
              value: (row) => looks[row.first_label].word,
              cell: (row) => <LabelBadge label={row.first_label} />,
            },
            {
              id: 'second',
              title: t.secondSaid,
              onPhone: 'under',
              value: (row) => looks[row.second_label].word,
              cell: (row) => <LabelBadge label={row.second_label} />,
            },
            {
              id: 'n',
              title: t.pairs,
              isNumber: true,
              onPhone: 'under',
              value: (row) => row.share.k,
              cell: (row) => formatCount(row.share.k),
            },
            {
              id: 'share',
              title: t.ofShared,
              isNumber: true,
              onPhone: 'under',
              value: (row) => row.share.share,
              cell: (row) => <ShareCell of={row.share} />,
            },
          ]}
        />
      )}
    </section>
  )
}

const peopleOf = ({ first, second }: Confusion): string =>
  t.personAndOther({ person: nameOf(first), other: nameOf(second) })

function PairLink({ slug, row }: { slug: string; row: Confusion }) {
  const { first, second, first_label: a, second_label: b } = row
  return (
    <Link
      to="/projects/$slug/quality/pairs/$first/$second"
      params={{ slug, first: String(first.id), second: String(second.id) }}
      search={{ a, b }}
    >
      {peopleOf(row)}
    </Link>
  )
}

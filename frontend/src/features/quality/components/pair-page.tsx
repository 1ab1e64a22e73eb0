import { Link } from '@tanstack/react-router'
import { Badge, LabelBadge } from '@/components/ui/badge'
import { type LabelLooks, useLabelLooks } from '@/components/ui/label-looks'
import { LinkButton } from '@/components/ui/link-button'
import { MoreButton } from '@/components/ui/more-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { Label, Project } from '@/lib/api/contract'
import type { PairPage as Shared, SharedPair } from '@/lib/api/figures'
import { t } from '@/messages/quality'
import { type PairCell, useSharedPairs } from '../api/figures'
import { boundsOf, nameOf, zoneOf } from '../state/agreement-words'
import { formatFigure } from '../state/figures'
import { whyNoKappa } from '../state/pair-words'
import { ConfusionTable, type LabelCell } from './confusion-table'
import styles from './pair-page.module.css'
import page from './quality-page.module.css'

export interface PairPageProps {
  project: Project
  first: number
  second: number
  cell: PairCell
  onCell: (cell: PairCell) => void
}

/** What two people disagree on: their table, and every pair they share with both answers side by side. */
export function PairPage({ project: { slug }, first, second, cell, onCell }: PairPageProps) {
  const { data, error, isPending, refetch, ...pages } = useSharedPairs(slug, first, second, cell)
  const looks = useLabelLooks()
  const [told] = data?.pages ?? []
  const names = told && { first: nameOf(told.first), second: nameOf(told.second) }
  return (
    <Page isWide>
      <PageHeader
        title={names ? t.personAndOther({ person: names.first, other: names.second }) : t.whoAgrees}
        lead={told && <Kappa of={told} />}
        actions={
          <LinkButton to="/projects/$slug/quality" params={{ slug }} search={{ tab: 'agreement' }} variant="quiet">
            {t.backToAgreement}
          </LinkButton>
        }
      />
      {isPending && <Skeleton label={t.thePairs} rows={6} />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && told && names && (
        <div className={styles.split}>
          <section className={page.section} aria-label={t.tableOfAnswers}>
            <ConfusionTable
              label={t.tableOfAnswers}
              rowName={names.first}
              columnName={names.second}
              counts={told.confusion ?? []}
              chosen={cell.first && cell.second ? { row: cell.first, column: cell.second } : null}
              onChoose={(chosen) => onCell(cellOf(chosen))}
            />
            <p className={page.note}>{t.howPairTable}</p>
            <p className={page.note}>
              {[told.first, told.second].map((person) => (
                <Link
                  key={person.id}
                  className={styles.person}
                  to="/projects/$slug/quality/annotators/$annotatorId"
                  params={{ slug, annotatorId: String(person.id) }}
                >
                  {t.figuresOf({ name: nameOf(person) })}
                </Link>
              ))}
            </p>
          </section>
          <section className={page.section} aria-labelledby="shared">
            <h2 id="shared" className={page.title}>
              {titleOf(cell, names, told, looks)}
            </h2>
            <ol className={styles.rows}>
              {data.pages.flatMap(({ items }) =>
                items.results.map((row) => <Row key={row.candidate} slug={slug} row={row} names={names} />),
              )}
            </ol>
            {told.items.results.length === 0 && <p className={page.note}>{t.noSharedPairs}</p>}
            <MoreButton {...pages}>{t.moreShared}</MoreButton>
          </section>
        </div>
      )}
    </Page>
  )
}

const cellOf = (chosen: LabelCell | null): PairCell =>
  chosen ? { first: chosen.row, second: chosen.column } : { first: undefined, second: undefined }

interface Names {
  first: string
  second: string
}

function titleOf(
  { first, second }: PairCell,
  names: Names,
  { n_items: n, confusion }: Shared,
  looks: LabelLooks,
): string {
  if (!first || !second) return t.allShared({ n })
  const place = (label: Label) => (label === 'good' ? 0 : label === 'bad' ? 1 : 2)
  return t.sharedWith({
    n: confusion?.[place(first)]?.[place(second)] ?? 0,
    first: names.first,
    firstLabel: looks[first].said,
    second: names.second,
    secondLabel: looks[second].said,
  })
}

function Kappa({ of: { kappa, interval, reason_code: code, n_items: n } }: { of: Shared }) {
  if (kappa === null) return t.noKappa({ reason: whyNoKappa(code) })
  const bounds = boundsOf({ low: interval?.low ?? null, high: interval?.high ?? null })
  return (
    <>
      {t.kappaIs({ value: formatFigure(kappa), word: zoneOf(kappa) })} {bounds && `${bounds}, `}
      {t.nShared({ n })}
    </>
  )
}

function Row({ slug, row, names }: { slug: string; row: SharedPair; names: Names }) {
  const { image } = row
  return (
    <li className={styles.row}>
      <Link
        to="/projects/$slug/images/$imageId"
        params={{ slug, imageId: String(image.id) }}
        className={styles.photo}
        title={t.openImage}
      >
        <img src={image.thumbnail.small.url} alt={image.alt} loading="lazy" />
      </Link>
      <p dir="auto" className={styles.text}>
        {row.text}
      </p>
      <dl className={styles.answers}>
        <dt>{names.first}</dt>
        <dd>
          <LabelBadge label={row.first_label} />
        </dd>
        <dt>{names.second}</dt>
        <dd>
          <LabelBadge label={row.second_label} />
        </dd>
        <dt>{t.decision}</dt>
        <dd>{row.verdict ? <LabelBadge label={row.verdict} /> : <Badge>{t.undecided}</Badge>}</dd>
      </dl>
    </li>
  )
}

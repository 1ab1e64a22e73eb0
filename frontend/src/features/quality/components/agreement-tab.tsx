import { useState } from 'react'
import { RelativeTime } from '@/components/ui/relative-time'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import type { Agreement } from '@/lib/api/served'
import { formatShare, plural } from '@/lib/format/numbers'
import { type Scope, useAgreement } from '../api/get-agreement'
import { figureOf, kindKey, kindName, kindsOf } from '../state/figures'
import { FigureTable } from './figure-table'
import { PairMatrix } from './pair-matrix'
import styles from './quality-page.module.css'
import { SliceRows } from './slice-rows'
import { WeekPlot } from './week-plot'

/** Agreement beyond chance, all readings of unsure side by side; undefined figures say why. */
export function AgreementTab({ slug }: { slug: string }) {
  const { data, error, isPending, refetch } = useAgreement(slug, 'overall')
  if (isPending) return <Skeleton label="agreement" rows={4} />
  if (error) return <ErrorState error={error} title="Agreement could not be shown" onRetry={() => void refetch()} />
  const [whole] = data.slices
  if (!whole || whole.n_judgments === 0) {
    return (
      <EmptyState title="No agreement yet" icon="check">
        Once two people have judged the same captions, this shows how far they agree beyond chance, with an interval.
      </EmptyState>
    )
  }
  return (
    <div className={styles.sections}>
      <section className={styles.section} aria-label="All pairs">
        <p className={styles.about}>
          {plural(whole.n_judgments, 'judgment')} of {plural(whole.n_pairs, 'pair')}; {prevalenceOf(whole)}.{' '}
          <AsOf of={data} />
        </p>
        <FigureTable figures={whole.figures} />
        <p className={styles.note}>
          Intervals are 95%, drawn over photographs. Figures are reported, not used as a gate: captions with several
          readings have low agreement and are good data.
        </p>
      </section>
      <BySlice slug={slug} />
      <PairMatrix slug={slug} />
    </div>
  )
}

const labels = ['good', 'bad', 'unsure'] as const

function prevalenceOf({ figures }: Agreement['slices'][number]): string {
  const shares = figures.find(({ reading }) => reading === 'value')?.prevalence ?? {}
  return labels
    .flatMap((label) => (shares[label] === undefined ? [] : [`${formatShare(shares[label])} ${label}`]))
    .join(', ')
}

function AsOf({ of: { as_of: at, n_waiting: waiting } }: { of: Agreement }) {
  return (
    <>
      {at && (
        <>
          As of <RelativeTime at={at} />.
        </>
      )}
      {waiting > 0 && ` ${plural(waiting, 'judgment')} still to be counted.`}
    </>
  )
}

const scopes: readonly { value: Exclude<Scope, 'overall'>; label: string }[] = [
  { value: 'source', label: 'By source' },
  { value: 'edit', label: 'By kind of edit' },
  { value: 'week', label: 'Over time' },
]

/** One figure, slice by slice. */
function BySlice({ slug }: { slug: string }) {
  const [scope, setScope] = useState<Exclude<Scope, 'overall'>>('source')
  const [wanted, setWanted] = useState('alpha_nominal value')
  const { data, error, isPending, refetch } = useAgreement(slug, scope)
  const kinds = kindsOf(data?.slices ?? [])
  const kind = kinds.find((each) => kindKey(each) === wanted) ?? kinds[0]
  return (
    <section className={styles.section} aria-labelledby="by-slice">
      <h2 id="by-slice" className={styles.title}>
        Where they agree
      </h2>
      <div className={styles.filters}>
        <Select label="Slices" choices={scopes} value={scope} onChange={setScope} />
        {kind && (
          <Select
            label="Figure"
            choices={kinds.map((each) => ({ value: kindKey(each), label: kindName(each) }))}
            value={kindKey(kind)}
            onChange={setWanted}
          />
        )}
      </div>
      {isPending && <Skeleton label="the slices" rows={3} />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && (!kind || data.slices.length === 0) && <p className={styles.note}>{nothing[scope]}</p>}
      {data && kind && scope === 'week' && <WeekPlot slices={data.slices} kind={kind} />}
      {data && kind && scope !== 'week' && (
        <SliceRows
          scope={scope}
          slices={data.slices.map((slice) => ({ value: slice.value, figure: figureOf(slice, kind) }))}
        />
      )}
    </section>
  )
}

const nothing: Record<Exclude<Scope, 'overall'>, string> = {
  source: 'No source has judgments yet.',
  edit: 'Nobody has edited a caption yet. Edits say whether people find the same things wrong.',
  week: 'No week has judgments yet.',
}

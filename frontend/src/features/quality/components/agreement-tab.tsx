import { useState } from 'react'
import { ActionButton } from '@/components/ui/action-button'
import { Disclosure } from '@/components/ui/disclosure'
import { DownloadLink } from '@/components/ui/download-link'
import { Grid, Span } from '@/components/ui/grid'
import { type LabelLooks, useLabelLooks } from '@/components/ui/label-looks'
import { RelativeTime } from '@/components/ui/relative-time'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import type { Project } from '@/lib/api/contract'
import type { Agreement } from '@/lib/api/served'
import { formatShare } from '@/lib/format/numbers'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/quality'
import { agreementActions } from '../actions'
import { type Scope, useAgreement } from '../api/get-agreement'
import { figureOf, kindKey, kindName, kindsOf } from '../state/figures'
import { ConfusionList } from './confusion-list'
import { FigureTable } from './figure-table'
import { Headline } from './headline'
import { ImportJudgmentsDialog } from './import-judgments-dialog'
import { PairHeat } from './pair-heat'
import styles from './quality-page.module.css'
import { SliceRows } from './slice-rows'

/** Agreement beyond chance; curators can bring in what was judged elsewhere. */
export function AgreementTab({ project }: { project: Project }) {
  return (
    <div className={styles.sections}>
      <Figures project={project} />
      {project.role === 'curator' && <Elsewhere project={project} />}
    </div>
  )
}

/** One figure and its days first, then who agrees with whom; every measure behind a fold. */
function Figures({ project: { slug, direction } }: { project: Project }) {
  const looks = useLabelLooks()
  const { data, error, isPending, refetch } = useAgreement(slug, 'overall')
  if (isPending) return <Skeleton label={t.agreementLoading} rows={4} />
  if (error) return <ErrorState error={error} title={t.agreementNotShown} onRetry={() => void refetch()} />
  const [whole] = data.slices
  if (!whole || whole.n_judgments === 0) {
    return (
      <EmptyState title={t.noAgreement} icon="check">
        {t.agreementLater}
      </EmptyState>
    )
  }
  const isOfQueries = direction === 'images_of_query'
  return (
    <>
      <section className={styles.section} aria-label={t.agreement}>
        <p className={styles.about}>
          {countsOf(whole, looks)} <AsOf of={data} />
        </p>
        <Headline slug={slug} isOfQueries={isOfQueries} />
      </section>
      <Grid>
        <Span n={6}>
          <PairHeat slug={slug} />
        </Span>
        <Span n={6}>
          <ConfusionList slug={slug} />
        </Span>
      </Grid>
      <Disclosure summary={t.allMeasures}>
        <div className={styles.folded}>
          <FigureTable figures={whole.figures} />
          <p className={styles.note}>{isOfQueries ? t.intervalsNoteOfQueries : t.intervalsNote}</p>
          <DownloadLink href={`/api/v1/projects/${slug}/agreement?format=csv`}>{t.asCsv}</DownloadLink>
          <BySlice slug={slug} />
        </div>
      </Disclosure>
    </>
  )
}

function Elsewhere({ project }: { project: Project }) {
  const [isOpen, setOpen] = useState(false)
  useActions(agreementActions, { 'judgments.import': () => setOpen(true) })
  return (
    <section className={styles.section} aria-labelledby="elsewhere">
      <h2 id="elsewhere" className={styles.title}>
        {t.elsewhere}
      </h2>
      <p className={styles.note}>{t.elsewhereExplained}</p>
      <div>
        <ActionButton id="judgments.import" icon="upload" preventFocusOnPress={false} />
      </div>
      {isOpen && <ImportJudgmentsDialog project={project} onClose={() => setOpen(false)} />}
    </section>
  )
}

const labels = ['good', 'bad', 'unsure'] as const

/** How much there is; the labels' shares too, once there is something to compare. */
function countsOf(whole: Agreement['slices'][number], looks: LabelLooks): string {
  const counts = { judgments: t.judgmentsN({ n: whole.n_judgments }), pairs: t.pairsN({ n: whole.n_pairs }) }
  const shares = prevalenceOf(whole, looks)
  return shares === '' ? t.ofPairs(counts) : t.ofPairsAndShares({ ...counts, shares })
}

function prevalenceOf({ figures }: Agreement['slices'][number], looks: LabelLooks): string {
  const shares = figures.find(({ reading }) => reading === 'value')?.prevalence ?? {}
  return labels
    .flatMap((label) => (shares[label] === undefined ? [] : [`${formatShare(shares[label])} ${looks[label].said}`]))
    .join(', ')
}

function AsOf({ of: { as_of: at, is_stale: isStale } }: { of: Agreement }) {
  return (
    <>
      {at && <Sentence of={t.asOf} parts={{ when: <RelativeTime at={at} /> }} />}
      {isStale && ` ${t.countedSoon}`}
    </>
  )
}

type Slices = 'source' | 'edit'

const scopes: readonly { value: Slices; label: string }[] = [
  { value: 'source', label: t.bySource },
  { value: 'edit', label: t.byEdit },
]

/** One figure, slice by slice. */
function BySlice({ slug }: { slug: string }) {
  const [scope, setScope] = useState<Slices>('source')
  const [wanted, setWanted] = useState('alpha_nominal value')
  const { data, error, isPending, refetch } = useAgreement(slug, scope satisfies Scope)
  const kinds = kindsOf(data?.slices ?? [])
  const kind = kinds.find((each) => kindKey(each) === wanted) ?? kinds[0]
  return (
    <section className={styles.section} aria-labelledby="by-slice">
      <h2 id="by-slice" className={styles.title}>
        {t.whereAgree}
      </h2>
      <div className={styles.filters}>
        <Select label={t.slices} choices={scopes} value={scope} onChange={setScope} />
        {kind && (
          <Select
            label={t.figure}
            choices={kinds.map((each) => ({ value: kindKey(each), label: kindName(each) }))}
            value={kindKey(kind)}
            onChange={setWanted}
          />
        )}
      </div>
      {isPending && <Skeleton label={t.theSlices} rows={3} />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && (!kind || data.slices.length === 0) && (
        <p className={styles.note}>{scope === 'edit' ? t.noEdits : t.noSource}</p>
      )}
      {data && kind && (
        <SliceRows
          scope={scope}
          slices={data.slices.map((slice) => ({ value: slice.value, figure: figureOf(slice, kind) }))}
        />
      )}
    </section>
  )
}

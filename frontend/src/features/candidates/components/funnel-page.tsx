import { type ReactNode, useMemo, useState } from 'react'
import { FilterLinks } from '@/components/ui/filter-links'
import { LinkButton } from '@/components/ui/link-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import type { Project } from '@/lib/api/contract'
import type { Candidate, Funnel } from '@/lib/api/served'
import { sourceName } from '@/lib/candidates/source-name'
import { formatCount } from '@/lib/format/numbers'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/candidates'
import { funnelPageActions } from '../actions'
import { useFunnel } from '../api/get-funnel'
import { type Flow, flowOf, type FunnelStep } from '../state/funnel-steps'
import { useDecisions } from '../state/use-decisions'
import { CaptionsPerImage } from './captions-per-image'
import { DropDialog } from './drop-dialog'
import { ExampleList } from './example-list'
import { FunnelBars } from './funnel-bars'
import styles from './funnel-page.module.css'
import { SaidBar } from './said-bar'
import { SourceTable } from './source-table'
import { StepDown } from './step-down'

export interface FunnelSearch {
  rule: string
  source: string
}

export interface FunnelPageProps {
  project: Project
  search: FunnelSearch
}

/** What cleaning did to a project's captions, rule by rule, with examples that can be undone. */
export function FunnelPage({ project, search }: FunnelPageProps) {
  const { data, error, isPending, refetch } = useFunnel(project.slug)
  if (isPending)
    return (
      <Frame>
        <Skeleton label={t.theFunnel} rows={8} />
      </Frame>
    )
  if (!data) {
    return (
      <Frame>
        <ErrorState error={error} title={t.funnelNotShown} onRetry={() => void refetch()} />
      </Frame>
    )
  }
  if (data.n_candidates === 0) {
    return (
      <Frame>
        <NoCaptions project={project} />
      </Frame>
    )
  }
  return <FunnelView project={project} funnel={data} search={search} />
}

/** The rule that drops most; without one, a rule that repairs most. It is open until a person chooses another. */
function busiestRule({ steps }: Flow): string {
  const most = (of: (step: FunnelStep) => number) =>
    steps.filter((step) => of(step) > 0).toSorted((a, b) => of(b) - of(a))[0]?.rule
  return most(({ n_dropped: n }) => n) ?? most(({ n_repaired: n }) => n ?? 0) ?? ''
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <Page isWide>
      <PageHeader title={t.cleaning} />
      {children}
    </Page>
  )
}

function FunnelView(props: FunnelPageProps & { funnel: Funnel }) {
  const { funnel } = props
  const { slug } = props.project
  const decisions = useDecisions(slug)
  const flow = useMemo(() => flowOf(funnel, props.search.source), [funnel, props.search.source])
  const search = { ...props.search, rule: props.search.rule || busiestRule(flow) }
  const [dropping, setDropping] = useState<Candidate | null>(null)
  useActions(funnelPageActions, {
    'funnel.undo': { when: () => Boolean(decisions.said?.back), perform: decisions.undo },
  })
  return (
    <Page isWide>
      <PageHeader title={t.cleaning} lead={<Lead funnel={funnel} />} />
      {funnel.sources.length > 1 && <SourceFilter funnel={funnel} search={props.search} />}
      <div className={styles.columns}>
        <div className={styles.flow}>
          <StepDown slug={slug} flow={flow} funnel={funnel} search={search} />
          <FunnelBars slug={slug} flow={flow} funnel={funnel} search={search} />
        </div>
        <div className={styles.sources}>
          {funnel.sources.length > 1 && <SourceTable sources={funnel.sources} />}
          <div className={styles.perImage}>
            <CaptionsPerImage rows={funnel.per_image} />
          </div>
        </div>
        {search.rule ? (
          <ExampleList
            key={`${search.rule} ${search.source}`}
            slug={slug}
            rule={search.rule}
            source={search.source}
            isChosen={props.search.rule !== ''}
            onRestore={decisions.restore}
            onDrop={setDropping}
          />
        ) : (
          <p className={styles.hint}>{t.chooseRule}</p>
        )}
      </div>
      {dropping && <DropDialog candidate={dropping} onDrop={decisions.drop} onClose={() => setDropping(null)} />}
      <SaidBar decisions={decisions} undo="funnel.undo" />
    </Page>
  )
}

function Lead({ funnel }: { funnel: Funnel }) {
  return (
    <>
      {t.cameInKept({ n: funnel.n_candidates, kept: formatCount(funnel.n_kept) })}{' '}
      {funnel.cleaned_at && <Sentence of={t.cleanedWhen} parts={{ when: <RelativeTime at={funnel.cleaned_at} /> }} />}
    </>
  )
}

function SourceFilter({ funnel, search: { rule, source } }: { funnel: Funnel; search: FunnelSearch }) {
  const link = (id: string, label: string, n: number) => ({
    id,
    label,
    n,
    isOn: id === source,
    search: { ...(rule && { rule }), ...(id && { source: id }) },
  })
  const links = [
    link('', t.everySource, funnel.n_candidates),
    ...funnel.sources.map((each) => link(each.source, sourceName(each.source), each.n_candidates)),
  ]
  return <FilterLinks label={t.source} links={links} className={styles.filters} />
}

function NoCaptions({ project }: { project: Project }) {
  return (
    <EmptyState
      title={t.noCaptions}
      action={
        <LinkButton to="/projects/$slug/walk" params={{ slug: project.slug }} variant="primary">
          {t.goToWalk}
        </LinkButton>
      }
    >
      {t.funnelLater}
    </EmptyState>
  )
}

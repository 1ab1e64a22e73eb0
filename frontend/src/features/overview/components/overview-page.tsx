import { BurnDownChart } from '@/components/burn-down/burn-down-chart'
import { Grid, Span } from '@/components/ui/grid'
import { LinkButton } from '@/components/ui/link-button'
import { NothingYet } from '@/components/ui/nothing-yet'
import { Notice } from '@/components/ui/notice'
import { Page, PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import type { Overview } from '@/lib/api/served'
import { Sentence } from '@/lib/language/sentence'
import { useOverview } from '@/lib/project/get-overview'
import { t } from '@/messages/overview'
import { type Words, wordsOf } from '../state/labels'
import { type Next, nextOf } from '../state/words'
import { AgreementByDay } from './agreement-by-day'
import { AnswersByDay } from './answers-by-day'
import { FigureTiles } from './figure-tiles'
import styles from './overview-page.module.css'
import { PeopleBars } from './people-bars'
import { SourceBars } from './source-bars'

/** How far, how good, what next: each figure leads to the page behind it. */
export function OverviewPage({ project }: { project: Project }) {
  const { data, error, isPending, refetch } = useOverview(project.slug)
  const words = wordsOf(project.direction)
  const mayCurate = project.role === 'curator'
  const next = data && data.slots > 0 ? nextOf(data, mayCurate) : null
  return (
    <Page isWide>
      <PageHeader
        title={t.overview}
        actions={data && next && <NextStep slug={project.slug} next={next} overview={data} words={words} />}
      />
      {isPending && <Skeleton label={t.loading} rows={8} />}
      {error && !data && <ErrorState error={error} title={t.notShown} onRetry={() => void refetch()} />}
      {data &&
        (data.slots === 0 ? (
          <NothingYet
            project={project}
            title={t.nothingYet}
            icon="image"
            action={t.openPipeline}
            forAll={words.nothingYetHint}
          />
        ) : (
          <Figures project={project} overview={data} words={words} />
        ))}
    </Page>
  )
}

interface NextStepProps {
  slug: string
  next: Next
  overview: Overview
  words: Words
}

function NextStep({ slug, next: { to, why }, overview: { waiting }, words }: NextStepProps) {
  const said = {
    gate: t.nextGate({ n: waiting.waiting_at_gate }),
    people: t.nextPeople,
    disputes: words.nextDisputes({ n: waiting.disputes }),
    cases: t.nextCases({ n: waiting.open }),
    judging: t.nextJudging,
    pipeline: t.nextPipeline,
  }
  return (
    <LinkButton to={to} params={{ slug }} variant="primary">
      {said[why]}
    </LinkButton>
  )
}

interface FiguresProps {
  project: Project
  overview: Overview
  words: Words
}

function Figures({ project: { slug, role }, overview, words }: FiguresProps) {
  return (
    <div className={styles.figures}>
      {overview.as_of === null && overview.judgments > 0 && <Notice>{t.notComputed}</Notice>}
      <FigureTiles slug={slug} role={role} overview={overview} words={words} />
      <Grid className={styles.charts}>
        <Span n={7} className={styles.column}>
          <BurnDownChart overview={overview} />
          <AnswersByDay overview={overview} words={words} />
        </Span>
        <Span n={5} className={styles.column}>
          <SourceBars overview={overview} words={words} />
          <AgreementByDay overview={overview} words={words} />
        </Span>
        <Span n={12}>
          <PeopleBars slug={slug} overview={overview} />
        </Span>
      </Grid>
      {overview.is_stale && overview.as_of && (
        <p className={styles.stale}>
          <Sentence of={t.stale} parts={{ when: <RelativeTime at={overview.as_of} /> }} />
        </p>
      )}
    </div>
  )
}

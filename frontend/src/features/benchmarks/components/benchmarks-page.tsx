import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Notice } from '@/components/ui/notice'
import { Page, PageHeader } from '@/components/ui/page-header'
import { ProgressBar } from '@/components/ui/progress-bar'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import type { Release, Run } from '@/lib/api/served'
import { inOurLanguage } from '@/lib/language/catalogue'
import { t } from '@/messages/benchmarks'
import { isRunning, useLeaderboard, useNewestRun, useReleaseChoices } from '../api/get-benchmarks'
import type { BenchmarkAsked } from '../state/asked'
import styles from './benchmarks.module.css'
import { ImportDialog } from './import-dialog'
import { LeaderboardView } from './leaderboard-view'
import { MeasureDialog } from './measure-dialog'

export interface BenchmarksPageProps {
  project: Project
  asked: BenchmarkAsked
  onAsk: (asked: BenchmarkAsked) => void
}

/** The models that were measured on a release, with the way to measure more. */
export function BenchmarksPage(props: BenchmarksPageProps) {
  const { data, error, isPending, refetch } = useReleaseChoices(props.project.slug)
  const releases = data?.results ?? []
  const release = releases.find(({ id }) => id === props.asked.release) ?? releases[0]
  if (release) return <OfRelease {...props} key={release.id} releases={releases} release={release} />
  return (
    <Page isWide>
      <PageHeader title={t.benchmarks} lead={t.lead} />
      {isPending && <Skeleton label={t.theBenchmarks} rows={4} />}
      {error && <ErrorState error={error} title={t.notShown} onRetry={() => void refetch()} />}
      {data && (
        <EmptyState
          title={t.noRelease}
          icon="book"
          action={
            <LinkButton to="/projects/$slug/walk" params={{ slug: props.project.slug }} variant="primary">
              {t.openPipeline}
            </LinkButton>
          }
        >
          {t.noReleaseHint}
        </EmptyState>
      )}
    </Page>
  )
}

interface OfReleaseProps extends BenchmarksPageProps {
  releases: readonly Release[]
  release: Release
}

function OfRelease({ project, asked, onAsk, releases, release }: OfReleaseProps) {
  const { slug, role } = project
  const { data, error, isPending, refetch } = useLeaderboard(slug, release.id, asked)
  const run = useNewestRun(slug)
  const [open, setOpen] = useState<'measure' | 'import' | null>(null)
  const close = () => setOpen(null)
  const isCurator = role === 'curator'
  return (
    <Page isWide>
      <PageHeader
        title={t.benchmarks}
        lead={t.lead}
        actions={
          isCurator && (
            <>
              <Button icon="upload" onPress={() => setOpen('import')}>
                {t.importResult}
              </Button>
              {!isRunning(run) && (
                <Button variant="primary" icon="play" onPress={() => setOpen('measure')}>
                  {t.measure}
                </Button>
              )}
            </>
          )
        }
      />
      {isPending && <Skeleton label={t.theBenchmarks} rows={6} />}
      {error && !data && <ErrorState error={error} title={t.notShown} onRetry={() => void refetch()} />}
      {run && <RunNews slug={slug} run={run} />}
      {data && (
        <LeaderboardView
          slug={slug}
          data={data}
          releases={releases}
          asked={{ ...asked, release: release.id }}
          onAsk={onAsk}
          isCurator={isCurator}
          empty={
            <EmptyState title={t.nothingMeasured} icon="search">
              {isCurator ? t.nothingForCurators : t.nothingForOthers}
            </EmptyState>
          }
        />
      )}
      {open === 'measure' && <MeasureDialog slug={slug} releaseId={release.id} onClose={close} />}
      {open === 'import' && <ImportDialog slug={slug} releaseId={release.id} onClose={close} />}
    </Page>
  )
}

function RunNews({ slug, run }: { slug: string; run: Run }) {
  const isFailed = run.status === 'failed'
  if (!isFailed && !isRunning(run)) return null
  const why = run.error ? inOurLanguage(run.error.code, run.error.params ?? null, run.error.message) : ''
  return (
    <Notice tone={isFailed ? 'bad' : 'neutral'}>
      <p className={styles.news}>
        <strong>{isFailed ? t.failed : t.running}</strong> {isFailed ? why : t.runningNote}
      </p>
      {!isFailed && run.total !== null && run.total > 0 && (
        <ProgressBar label={t.running} value={run.done} max={run.total} />
      )}
      <LinkButton to="/projects/$slug/walk/runs/$runId" params={{ slug, runId: run.id }}>
        {t.openRun}
      </LinkButton>
    </Notice>
  )
}

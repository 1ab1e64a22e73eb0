import { LinkButton } from '@/components/ui/link-button'
import { Notice } from '@/components/ui/notice'
import { Page, PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import type { DiversityReport } from '@/lib/api/served'
import { inOurLanguage } from '@/lib/language/catalogue'
import { t } from '@/messages/diversity'
import { isOver, useReport } from '../api/get-reports'
import { statusOf, titleOf } from '../state/measures'
import { Files, ReportView } from './report-view'

/** One report: a density of each measure, means with intervals, and how it was made. */
export function DiversityReportPage({ project, runId }: { project: Project; runId: string }) {
  const { data: run, error, isPending, refetch } = useReport(project.slug, runId)
  return (
    <Page isWide>
      <PageHeader
        title={run ? titleOf(run) : t.diversity}
        lead={run && <RelativeTime at={run.created_at} />}
        actions={
          <>
            {run?.files && <Files files={run.files} />}
            <LinkButton to="/projects/$slug/diversity" params={{ slug: project.slug }}>
              {t.allReports}
            </LinkButton>
          </>
        }
      />
      {isPending && <Skeleton label={t.theReport} rows={6} />}
      {error && !run && <ErrorState error={error} title={t.reportNotShown} onRetry={() => void refetch()} />}
      {run && !run.report && <NotFinished run={run} slug={project.slug} />}
      {run?.report && <ReportView report={run.report} />}
    </Page>
  )
}

function NotFinished({ run, slug }: { run: DiversityReport; slug: string }) {
  const params = { slug, runId: run.id }
  return (
    <>
      <Notice tone={isOver(run) ? 'bad' : 'neutral'}>
        <p>{isOver(run) ? t.stopped : t.notFinished}</p>
        <p>{run.error ? inOurLanguage(run.error.code, run.error.params ?? null, run.error.message) : statusOf(run)}</p>
      </Notice>
      <p>
        <LinkButton to="/projects/$slug/walk/runs/$runId" params={params}>
          {t.toRun}
        </LinkButton>
      </p>
    </>
  )
}

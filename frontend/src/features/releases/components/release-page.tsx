import { Link, useNavigate } from '@tanstack/react-router'
import { LinkButton } from '@/components/ui/link-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import { asApiError } from '@/lib/api/api-error'
import type { Project } from '@/lib/api/contract'
import { isReviewer } from '@/lib/project/roles'
import { t } from '@/messages/releases'
import { releaseActions } from '../actions'
import { useRelease } from '../api/get-release'
import styles from './release-page.module.css'
import { ReleaseLead, ReleaseView } from './release-view'
import { ShareButton } from './share-dialog'
import { WithdrawImage } from './withdraw-image'

export function ReleasePage({ project, releaseId }: { project: Project; releaseId: string }) {
  const { slug } = project
  const isCurator = project.role === 'curator'
  const navigate = useNavigate()
  const { data: release, error, isPending, refetch } = useRelease(releaseId)
  useActions(releaseActions, {
    'release.list': () => void navigate({ to: '/projects/$slug/releases', params: { slug } }),
  })
  return (
    <Page>
      <Link to="/projects/$slug/releases" params={{ slug }} className={styles.back}>
        {t.releases}
      </Link>
      {isPending && <Skeleton label={t.theRelease} rows={4} />}
      {error && <NotShown error={error} onRetry={() => void refetch()} />}
      {release && (
        <>
          <PageHeader
            title={t.titleOf({ name: release.project_name, version: release.label })}
            lead={<ReleaseLead release={release} by={release.created_by} />}
            actions={
              isReviewer(project.role) && (
                <>
                  <LinkButton to="/projects/$slug/benchmarks" params={{ slug }} search={{ release: release.id }}>
                    {t.benchmarks}
                  </LinkButton>
                  {isCurator && <ShareButton releaseId={release.id} />}
                </>
              )
            }
          />
          <ReleaseView
            source={{ kind: 'member', id: release.id }}
            release={release}
            downloads={release.downloads}
            deedOf={isCurator ? (entry) => <WithdrawImage {...{ slug, releaseId, entry }} /> : undefined}
          />
        </>
      )}
    </Page>
  )
}

/** To annotators it is closed while there is judging to do: no fault, and nothing to try again. */
function NotShown({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const failure = asApiError(error)
  if (failure.code !== 'still_judged') {
    return <ErrorState error={error} title={t.releaseNotShown} isPage onRetry={onRetry} />
  }
  return (
    <EmptyState title={t.notOpenYet} isPage icon="book">
      {failure.message}
    </EmptyState>
  )
}

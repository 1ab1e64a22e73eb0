import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { asApiError } from '@/lib/api/api-error'
import { t } from '@/messages/releases'
import { usePublicRelease } from '../api/get-release'
import { ReleaseLead, ReleaseView } from './release-view'

/** Where the public link of a release leads. No account is needed. */
export function PublicReleasePage({ token }: { token: string }) {
  const { data: release, error, isPending, refetch } = usePublicRelease(token)
  return (
    <Page>
      {isPending && <Skeleton label={t.theRelease} rows={4} />}
      {error && <NotShown error={error} onRetry={() => void refetch()} />}
      {release && (
        <>
          <PageHeader
            title={t.titleOf({ name: release.project_name, version: release.label })}
            lead={<ReleaseLead release={release} />}
          />
          <ReleaseView source={{ kind: 'visitor', token }} release={release} />
        </>
      )}
    </Page>
  )
}

/** Closed or mistyped: the server says which. Only a passing failure is worth another try. */
function NotShown({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { isPassing } = asApiError(error)
  return <ErrorState error={error} title={t.releaseNotShown} isPage {...(isPassing && { onRetry })} />
}

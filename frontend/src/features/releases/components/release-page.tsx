import { Link, useNavigate } from '@tanstack/react-router'
import { Digest } from '@/components/ui/digest'
import { Page, PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import { asApiError } from '@/lib/api/api-error'
import type { Project } from '@/lib/api/contract'
import type { Release } from '@/lib/api/served'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/releases'
import { releaseActions } from '../actions'
import { useRelease } from '../api/get-release'
import { EntryList } from './entry-list'
import { FileTable } from './file-table'
import styles from './release-page.module.css'

export function ReleasePage({ project, releaseId }: { project: Project; releaseId: string }) {
  const navigate = useNavigate()
  const { data: release, error, isPending, refetch } = useRelease(releaseId)
  useActions(releaseActions, {
    'release.list': () => void navigate({ to: '/projects/$slug/releases', params: { slug: project.slug } }),
  })
  return (
    <Page>
      <Link to="/projects/$slug/releases" params={{ slug: project.slug }} className={styles.back}>
        {t.releases}
      </Link>
      {isPending && <Skeleton label={t.theRelease} rows={4} />}
      {error && <NotShown error={error} onRetry={() => void refetch()} />}
      {release && (
        <>
          <PageHeader title={t.version({ version: release.version })} lead={<ReleaseLead release={release} />} />
          <FileTable files={release.files} />
          <EntryList release={release} />
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

function ReleaseLead({ release }: { release: Release }) {
  return (
    <span className={styles.lead}>
      <span>
        {t.photographs({ nImages: release.n_images })}, {t.captions({ nCaptions: release.n_captions })},{' '}
        {t.judgments({ nJudgments: release.n_judgments })}.{' '}
        <Sentence of={t.cut} parts={{ when: <RelativeTime at={release.created_at} /> }} />
        {release.created_by && t.byWhom({ createdBy: release.created_by })}.
      </span>
      <Digest value={release.digest} what={t.checksumOfRelease} />
    </span>
  )
}

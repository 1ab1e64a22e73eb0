import { Link, useNavigate } from '@tanstack/react-router'
import { Digest } from '@/components/ui/digest'
import { Page, PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import type { Release } from '@/lib/api/served'
import type { Project } from '@/lib/api/contract'
import { plural } from '@/lib/format/numbers'
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
        Releases
      </Link>
      {isPending && <Skeleton label="the release" rows={4} />}
      {error && <ErrorState error={error} title="The release could not be shown" onRetry={() => void refetch()} />}
      {release && (
        <>
          <PageHeader title={`Version ${release.version}`} lead={<ReleaseLead release={release} />} />
          <FileTable files={release.files} />
          <EntryList release={release} />
        </>
      )}
    </Page>
  )
}

function ReleaseLead({ release }: { release: Release }) {
  return (
    <span className={styles.lead}>
      <span>
        {plural(release.n_images, 'photograph')}, {plural(release.n_captions, 'caption')},{' '}
        {plural(release.n_judgments, 'judgment')}. Cut <RelativeTime at={release.created_at} />
        {release.created_by && ` by ${release.created_by}`}.
      </span>
      <Digest value={release.digest} what="the checksum of the release" />
    </span>
  )
}

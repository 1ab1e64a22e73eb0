import { Link } from '@tanstack/react-router'
import { Digest } from '@/components/ui/digest'
import { DownloadLink } from '@/components/ui/download-link'
import { LinkButton } from '@/components/ui/link-button'
import { MoreButton } from '@/components/ui/more-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import type { Release } from '@/lib/api/served'
import { formatBytes, formatCount } from '@/lib/format/numbers'
import { Sentence } from '@/lib/language/sentence'
import { isReviewer } from '@/lib/project/roles'
import { t } from '@/messages/releases'
import { useReleases } from '../api/get-releases'
import styles from './release-list-page.module.css'

export function ReleaseListPage({ project }: { project: Project }) {
  return (
    <Page>
      <PageHeader title={t.releases} lead={t.frozen} />
      <ReleaseList project={project} />
    </Page>
  )
}

function ReleaseList({ project }: { project: Project }) {
  const { data, error, isPending, refetch, ...pages } = useReleases(project.slug)
  if (isPending) return <Skeleton label={t.theReleases} />
  if (error) return <ErrorState error={error} title={t.releasesNotShown} onRetry={() => void refetch()} />
  const releases = data.pages.flatMap((page) => page.results)
  if (releases.length === 0) return <NoReleases project={project} />
  return (
    <>
      <ol className={styles.list}>
        {releases.map((release) => (
          <ReleaseRow key={release.id} slug={project.slug} release={release} hasFiles={isReviewer(project.role)} />
        ))}
      </ol>
      <MoreButton {...pages}>{t.earlierReleases}</MoreButton>
    </>
  )
}

interface ReleaseRowProps {
  slug: string
  release: Release
  hasFiles: boolean
}

/** To annotators a release may be closed still: its own page says so, where a download would only fail. */
function ReleaseRow({ slug, release, hasFiles }: ReleaseRowProps) {
  return (
    <li className={styles.row}>
      <div className={styles.about}>
        <h2 className={styles.name}>
          <Link to="/projects/$slug/releases/$releaseId" params={{ slug, releaseId: release.id }}>
            {t.version({ version: release.label })}
          </Link>
        </h2>
        <p className={styles.made}>
          <Sentence of={t.cut} parts={{ when: <RelativeTime at={release.created_at} /> }} />
          {release.created_by && t.byWhom({ createdBy: release.created_by })}
        </p>
        <Digest value={release.digest} what={t.checksumOfVersion({ version: release.label })} />
      </div>
      <p className={styles.counts}>
        {t.photographs({ nImages: release.n_images })}, {t.captions({ nCaptions: release.n_captions })},{' '}
        {t.judgments({ nJudgments: release.n_judgments })}
      </p>
      {hasFiles && (
        <p className={styles.files}>
          <DownloadLink href={release.archive_url}>{t.downloadAll({ size: formatBytes(sizeOf(release)) })}</DownloadLink>
        </p>
      )}
    </li>
  )
}

const sizeOf = ({ files }: Release): number => files.reduce((sum, { n_bytes: n }) => sum + n, 0)

function NoReleases({ project }: { project: Project }) {
  if (!isReviewer(project.role)) {
    return (
      <EmptyState title={t.nothingReleased} icon="book">
        {t.notYetForAnnotators}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title={t.nothingReleased}
      icon="book"
      action={
        <LinkButton to="/projects/$slug/walk" params={{ slug: project.slug }} variant="primary">
          {t.openWalk}
        </LinkButton>
      }
    >
      {t.notYetForReviewers({ judgments: formatCount(project.counts.judgments) })}
    </EmptyState>
  )
}

import { Link } from '@tanstack/react-router'
import { Digest } from '@/components/ui/digest'
import { DownloadLink } from '@/components/ui/download-link'
import { LinkButton } from '@/components/ui/link-button'
import { MoreButton } from '@/components/ui/more-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import type { Release } from '@/lib/api/served'
import type { Project } from '@/lib/api/contract'
import { formatCount, plural } from '@/lib/format/numbers'
import { isReviewer } from '@/lib/project/roles'
import { useReleases } from '../api/get-releases'
import styles from './release-list-page.module.css'

export function ReleaseListPage({ project }: { project: Project }) {
  return (
    <Page>
      <PageHeader title="Releases" lead="Each is frozen: its captions, its votes and its files never change." />
      <ReleaseList project={project} />
    </Page>
  )
}

function ReleaseList({ project }: { project: Project }) {
  const { data, error, isPending, refetch, ...pages } = useReleases(project.slug)
  if (isPending) return <Skeleton label="the releases" />
  if (error) return <ErrorState error={error} title="The releases could not be shown" onRetry={() => void refetch()} />
  const releases = data.pages.flatMap((page) => page.results)
  if (releases.length === 0) return <NoReleases project={project} />
  return (
    <>
      <ol className={styles.list}>
        {releases.map((release) => (
          <ReleaseRow key={release.id} slug={project.slug} release={release} />
        ))}
      </ol>
      <MoreButton {...pages}>Show earlier releases</MoreButton>
    </>
  )
}

function ReleaseRow({ slug, release }: { slug: string; release: Release }) {
  return (
    <li className={styles.row}>
      <div className={styles.about}>
        <h2 className={styles.name}>
          <Link to="/projects/$slug/releases/$releaseId" params={{ slug, releaseId: release.id }}>
            Version {release.version}
          </Link>
        </h2>
        <p className={styles.made}>
          Cut <RelativeTime at={release.created_at} />
          {release.created_by && ` by ${release.created_by}`}
        </p>
        <Digest value={release.digest} what={`the checksum of version ${release.version}`} />
      </div>
      <p className={styles.counts}>
        {plural(release.n_images, 'photograph')}, {plural(release.n_captions, 'caption')},{' '}
        {plural(release.n_judgments, 'judgment')}
      </p>
      <ul className={styles.files} aria-label={`Files of version ${release.version}`}>
        {release.files.map((file) => (
          <li key={file.name}>
            <DownloadLink href={file.url}>{file.name}</DownloadLink>
          </li>
        ))}
      </ul>
    </li>
  )
}

function NoReleases({ project }: { project: Project }) {
  if (!isReviewer(project.role)) {
    return (
      <EmptyState title="Nothing is released yet" icon="book">
        When the curator cuts a release, its photographs with their captions can be read and downloaded here. Until then
        there is judging to do.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="Nothing is released yet"
      icon="book"
      action={
        <LinkButton to="/projects/$slug/walk" params={{ slug: project.slug }} variant="primary">
          Open the walk
        </LinkButton>
      }
    >
      Each release will be listed here with its files and their checksums. So far{' '}
      {formatCount(project.counts.judgments)} judgments were made; the last stage of the walk cuts the release.
    </EmptyState>
  )
}

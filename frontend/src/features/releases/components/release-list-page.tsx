import { Link } from '@tanstack/react-router'
import { type SortedColumn, SortedTable } from '@/components/sorted-table/sorted-table'
import { Badge } from '@/components/ui/badge'
import { DownloadLink } from '@/components/ui/download-link'
import { LinkButton } from '@/components/ui/link-button'
import { MoreButton } from '@/components/ui/more-button'
import { Notice } from '@/components/ui/notice'
import { Page, PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import type { Release, Run } from '@/lib/api/served'
import { formatBytes, formatCount, formatDecimal, formatWholeShare } from '@/lib/format/numbers'
import { locale } from '@/lib/language/language'
import { isReviewer } from '@/lib/project/roles'
import { t } from '@/messages/releases'
import { useBuilding } from '../api/get-building'
import { useFigures } from '../api/get-figures'
import { useReleases } from '../api/get-releases'
import { totalOf } from './file-table'
import { NewestRelease, sizeOf } from './newest-release'
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
  const building = useBuilding(project.slug, isReviewer(project.role))
  if (isPending) return <Skeleton label={t.theReleases} />
  if (error) return <ErrorState error={error} title={t.releasesNotShown} onRetry={() => void refetch()} />
  const releases = data.pages.flatMap((page) => page.results)
  if (releases.length === 0 && !building) return <NoReleases project={project} />
  return (
    <>
      {building && <Building slug={project.slug} run={building} />}
      {releases[0] && isReviewer(project.role) && <NewestRelease slug={project.slug} release={releases[0]} />}
      <SortedTable<Release>
        label={t.releases}
        csvName="releases.csv"
        choiceName="releases"
        rows={releases}
        rowId={({ id }) => id}
        columns={[
          ...columnsOf(project.slug, releases, isReviewer(project.role)),
          downloads,
          isReviewer(project.role) ? download : size,
        ]}
      />
      <MoreButton {...pages}>{t.earlierReleases}</MoreButton>
    </>
  )
}

function Building({ slug, run }: { slug: string; run: Run }) {
  const share = run.total ? formatWholeShare(run.done / run.total) : null
  return (
    <Notice>
      {t.beingMade} {share}{' '}
      <Link to="/projects/$slug/walk/runs/$runId" params={{ slug, runId: run.id }}>
        {t.openTheRun}
      </Link>
    </Notice>
  )
}

/** To annotators a release may be closed still: its own page says so, where a download would only fail. */
function columnsOf(slug: string, releases: readonly Release[], mayCount: boolean): SortedColumn<Release>[] {
  const before = (release: Release) => releases.find(({ version }) => version === release.version - 1)
  return [
    {
      id: 'version',
      title: t.versionColumn,
      sorts: 'descending',
      value: ({ version }) => version,
      cell: (release) => (
        <Link className={styles.name} to="/projects/$slug/releases/$releaseId" params={{ slug, releaseId: release.id }}>
          {t.version({ version: release.label })}
        </Link>
      ),
    },
    {
      id: 'made',
      title: t.releasedColumn,
      onPhone: 'under',
      sorts: 'descending',
      value: ({ created_at: at }) => at,
      cell: ({ created_at: at, created_by: by }) => (
        <>
          <RelativeTime at={at} />
          {by && t.byWhom({ createdBy: by })}
        </>
      ),
    },
    countColumn('images', t.imagesColumn, ({ n_images: n }) => n, before),
    countColumn('captions', t.captionsColumn, ({ n_captions: n }) => n, before),
    countColumn('answers', t.answersColumn, ({ n_judgments: n }) => n, before),
    {
      id: 'agreement',
      title: t.alphaColumn,
      isNumber: true,
      onPhone: 'under',
      value: ({ alpha }) => alpha?.value,
      cell: ({ id, alpha }) => (alpha || !mayCount ? <Alpha alpha={alpha} /> : <CountedAlpha releaseId={id} />),
    },
    {
      id: 'state',
      title: t.stateColumn,
      onPhone: 'under',
      value: ({ n_withdrawn: n }) => (n ? t.imagesWithdrawn({ n }) : t.released),
      cell: ({ n_withdrawn: n }) =>
        n ? <Badge tone="warning">{t.imagesWithdrawn({ n })}</Badge> : <Badge tone="done">{t.released}</Badge>,
    },
    {
      id: 'public',
      title: t.publicPage,
      onPhone: 'under',
      value: ({ public_url: url }) => url,
      cell: ({ label, public_url: url }) =>
        url ? (
          <a href={url} aria-label={t.openPublicPageOf({ version: label })}>
            {t.open}
          </a>
        ) : (
          '—'
        ),
    },
  ]
}

/** The figures of a release that is older than the column are counted when they are first read, and then kept. */
function CountedAlpha({ releaseId }: { releaseId: string }) {
  const { data, isPending } = useFigures({ kind: 'member', id: releaseId })
  return isPending ? <span title={t.alphaIsCounted}>…</span> : <Alpha alpha={data?.alpha ?? null} />
}

/** "0.41", and in grey its interval. A dash where the release does not say it. */
function Alpha({ alpha }: { alpha: Release['alpha'] }) {
  if (!alpha) return <span title={t.noAlpha}>—</span>
  const { value, low, high } = alpha
  return (
    <span title={t.alphaHow({ n: alpha.n_items, judgments: formatCount(alpha.n_judgments) })}>
      {formatDecimal(value, 2)}{' '}
      {low != null && high != null && (
        <small className={styles.change}>
          {t.fromTo({ low: formatDecimal(low, 2), high: formatDecimal(high, 2) })}
        </small>
      )}
    </span>
  )
}

/** A number, and in grey how far it is from the version before. */
const countColumn = (
  id: string,
  title: string,
  value: (release: Release) => number,
  before: (release: Release) => Release | undefined,
): SortedColumn<Release> => ({
  id,
  title,
  isNumber: true,
  onPhone: 'under',
  value,
  cell: (release) => {
    const last = before(release)
    const change = last && value(release) - value(last)
    return (
      <>
        {formatCount(value(release))}
        {change ? <small className={styles.change}> {signed.format(change)}</small> : null}
      </>
    )
  },
})

const signed = new Intl.NumberFormat(locale, { signDisplay: 'always' })

const size: SortedColumn<Release> = {
  id: 'size',
  title: t.size,
  isNumber: true,
  onPhone: 'under',
  value: sizeOf,
  cell: (release) => formatBytes(sizeOf(release)),
}

const downloads: SortedColumn<Release> = {
  id: 'downloads',
  title: t.downloads,
  isNumber: true,
  onPhone: 'under',
  value: (release) => totalOf(release.downloads),
  cell: (release) => formatCount(totalOf(release.downloads)),
}

const download: SortedColumn<Release> = {
  ...size,
  title: t.files,
  cell: (release) => (
    <DownloadLink href={release.archive_url}>{t.zipOf({ size: formatBytes(sizeOf(release)) })}</DownloadLink>
  ),
}

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

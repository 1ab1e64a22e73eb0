import { Link } from '@tanstack/react-router'
import { CopyButton } from '@/components/ui/copy-button'
import { DownloadLink } from '@/components/ui/download-link'
import { Facts } from '@/components/ui/facts'
import { LinkButton } from '@/components/ui/link-button'
import type { Release } from '@/lib/api/served'
import { formatBytes, formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/releases'
import { useEntries } from '../api/get-entries'
import { useFigures } from '../api/get-figures'
import { useRelease } from '../api/get-release'
import type { ReleaseSource } from '../api/source'
import { difficultyNames, splitNames } from '../names'
import styles from './newest-release.module.css'

const nPictures = 12

/** What one downloads today: its images, what it holds, and what one does with it; the table below has the rest. */
export function NewestRelease({ slug, release }: { slug: string; release: Release }) {
  const source: ReleaseSource = { kind: 'member', id: release.id }
  const params = { slug, releaseId: release.id }
  const { data: whole } = useRelease(release.id)
  return (
    <section className={styles.newest} aria-labelledby="newest">
      <div className={styles.head}>
        <h2 id="newest" className={styles.title}>
          <Link to="/projects/$slug/releases/$releaseId" params={params}>
            {t.newestRelease({ version: release.label })}
          </Link>
        </h2>
        <div className={styles.deeds}>
          {whole && <CopyButton text={whole.citation.bibtex} what={t.theCitation} label={t.copyCitation} />}
          <DownloadLink href={release.archive_url}>{t.zipOf({ size: formatBytes(sizeOf(release)) })}</DownloadLink>
          <LinkButton to="/projects/$slug/releases/$releaseId" params={params} size="small">
            {t.lookThroughIt}
          </LinkButton>
        </div>
      </div>
      <Pictures slug={slug} release={release} source={source} />
      <Content source={source} />
    </section>
  )
}

export const sizeOf = ({ files }: Pick<Release, 'files'>): number => files.reduce((sum, { n_bytes: n }) => sum + n, 0)

function Pictures({ slug, release, source }: { slug: string; release: Release; source: ReleaseSource }) {
  const { data } = useEntries(source, {})
  const entries = data?.pages[0]?.results.slice(0, nPictures) ?? []
  const shown = entries.flatMap(({ position, image, captions }) =>
    image.thumbnail ? [{ position, url: image.thumbnail.small.url, alt: captions[0]?.text ?? image.key }] : [],
  )
  return (
    <ul className={styles.strip}>
      {shown.map(({ position, url, alt }) => (
        <li key={position}>
          <Link to="/projects/$slug/releases/$releaseId" params={{ slug, releaseId: release.id }}>
            <img src={url} alt={alt} loading="lazy" decoding="async" />
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Licences, splits and difficulty in a line each. */
function Content({ source }: { source: ReleaseSource }) {
  const { data } = useFigures(source)
  if (!data) return null
  const facts = [
    { name: t.licencesTitle, value: told(data.licences, {}) },
    { name: t.split, value: told(data.splits, splitNames) },
    { name: t.difficulty, value: told(data.difficulty, difficultyNames) },
  ]
  return <Facts facts={facts.filter(({ value }) => value !== '')} />
}

/** "Training 14 · Test 2", in the order of the names. */
function told(counts: readonly { name: string; n: number }[], names: Readonly<Record<string, string>>): string {
  const order = Object.keys(names)
  return counts
    .filter(({ n }) => n > 0)
    .sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
    .map(({ name, n }) => `${names[name] ?? name} ${formatCount(n)}`)
    .join(' · ')
}

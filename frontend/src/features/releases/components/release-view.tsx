import { Digest } from '@/components/ui/digest'
import { DownloadLink } from '@/components/ui/download-link'
import { KeyFigures } from '@/components/ui/key-figures'
import { Notice } from '@/components/ui/notice'
import { RelativeTime } from '@/components/ui/relative-time'
import type { PublicRelease } from '@/lib/api/served'
import { formatBytes, formatCount } from '@/lib/format/numbers'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/releases'
import type { ReleaseSource } from '../api/source'
import { type DeedOf, EntryList } from './entry-list'
import { type Downloads, FileTable, totalOf } from './file-table'
import { CiteIt, LoadIt } from './load-it'
import { ReleaseChanges } from './release-changes'
import { ReleaseFiguresView } from './release-figures'
import styles from './release-page.module.css'

interface ReleaseViewProps {
  source: ReleaseSource
  release: PublicRelease
  deedOf?: DeedOf | undefined
  /** How often each file was sent, for members. */
  downloads?: Downloads | undefined
}

/** Everything of a release under its title: the same for members and for visitors. */
export function ReleaseView({ source, release, deedOf, downloads }: ReleaseViewProps) {
  return (
    <>
      <Headline release={release} nDownloads={downloads ? totalOf(downloads) : null} />
      <RatedByDrawings release={release} />
      <ReleaseFiguresView source={source} />
      <div className={styles.use}>
        <LoadIt release={release} />
        <CiteIt release={release} />
      </div>
      <ReleaseChanges changes={release.changelog} />
      <section className={styles.section} aria-labelledby="files">
        <div className={styles.files}>
          <h2 id="files" className={styles.title}>
            {t.files}
          </h2>
          <DownloadAll release={release} />
        </div>
        {downloads && <p className={styles.about}>{t.downloadsHow}</p>}
        <FileTable files={release.files} downloads={downloads} />
      </section>
      <EntryList source={source} total={release.n_images} deedOf={deedOf} />
    </>
  )
}

/** What the dataset is, in a sentence and in figures. */
function Headline({ release, nDownloads }: { release: PublicRelease; nDownloads: number | null }) {
  const figures = [
    { name: t.imagesColumn, n: release.n_images },
    { name: t.captionsColumn, n: release.n_captions },
    { name: t.answersColumn, n: release.n_judgments },
    { name: t.annotators, n: annotatorsOf(release) },
    { name: t.downloads, n: nDownloads },
  ]
  return (
    <>
      <p className={styles.about}>{t.about}</p>
      <KeyFigures figures={figures.flatMap(({ name, n }) => (n === null ? [] : [{ name, value: formatCount(n) }]))} />
    </>
  )
}

/** Says before all figures that models rated the captions which have only learned from drawings. */
function RatedByDrawings({ release: { manifest } }: { release: PublicRelease }) {
  const { difficulty } = manifest as { difficulty?: { trained_on_drawings?: { n_images: number; n_drawings: number } } }
  const found = difficulty?.trained_on_drawings
  if (!found || found.n_drawings >= found.n_images) return null
  return (
    <Notice tone="bad">
      <strong>{t.drawingsTitle}</strong> {t.drawings({ n: found.n_images - found.n_drawings, total: found.n_images })}
    </Notice>
  )
}

function annotatorsOf({ manifest }: PublicRelease): number | null {
  const { counts } = manifest as { counts?: { annotators?: number } }
  return counts?.annotators ?? null
}

function DownloadAll({ release: { files, archive_url: url } }: { release: PublicRelease }) {
  const n = files.reduce((sum, file) => sum + file.n_bytes, 0)
  return <DownloadLink href={url}>{t.downloadAll({ size: formatBytes(n) })}</DownloadLink>
}

interface ReleaseLeadProps {
  release: PublicRelease
  by?: string | null | undefined
}

/** When it was made, and its checksum. */
export function ReleaseLead({ release, by }: ReleaseLeadProps) {
  return (
    <span className={styles.lead}>
      <span>
        <Sentence of={t.cut} parts={{ when: <RelativeTime at={release.created_at} /> }} />
        {by && t.byWhom({ createdBy: by })}.
      </span>
      <Digest value={release.digest} what={t.checksumOfRelease} />
      <DownloadAll release={release} />
    </span>
  )
}

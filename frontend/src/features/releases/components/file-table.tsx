import { Digest } from '@/components/ui/digest'
import { DownloadLink } from '@/components/ui/download-link'
import { Table, type TableColumn } from '@/components/ui/table'
import type { Release, ReleaseFile } from '@/lib/api/served'
import { formatBytes, formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/releases'
import styles from './release-page.module.css'

/** In the order of the table: what people open first, then the data, then what tools read. */
const CONTENTS: Record<string, string> = {
  'README.md': t.aboutTheDataset,
  'datasheet.html': t.datasheetOnAPage,
  'datasheet.md': t.datasheetOnAPage,
  'CHANGELOG.md': t.changesFile,
  'images.jsonl': t.oneImageALine,
  'captions.jsonl': t.selectedCaptions,
  'captions.csv': t.selectedCaptions,
  'negatives.jsonl': t.rejectedCaptions,
  'negatives.csv': t.rejectedCaptions,
  'judgments.csv': t.countedAnswers,
  'judgments.parquet': t.allAnswers,
  'candidates.parquet': t.allCaptions,
  'annotators.csv': t.reliability,
  'difficulty.csv': t.votesOfModels,
  'ATTRIBUTION.csv': t.credits,
  'CITATION.cff': t.citation,
  'croissant.json': t.forTools,
  'manifest.json': t.howItWasMade,
  SHA256SUMS: t.checksums,
}
const PLACES = Object.keys(CONTENTS)

function place({ name }: ReleaseFile): number {
  const known = PLACES.indexOf(name)
  return known < 0 ? PLACES.length : known
}

const columns: TableColumn<ReleaseFile>[] = [
  {
    id: 'name',
    title: t.file,
    cell: (file) => <DownloadLink href={file.url}>{file.name}</DownloadLink>,
  },
  {
    id: 'contents',
    title: t.contents,
    onPhone: 'under',
    cell: (file) => CONTENTS[file.name] ?? '',
  },
  {
    id: 'size',
    title: t.size,
    isNumber: true,
    onPhone: 'beside',
    cell: (file) => <span className={styles.size}>{formatBytes(file.n_bytes)}</span>,
  },
  {
    id: 'sha256',
    title: 'SHA-256',
    onPhone: 'under',
    cell: (file) => <Digest value={file.sha256} what={t.checksumOf({ name: file.name })} />,
  },
]

export type Downloads = Release['downloads']

export const totalOf = (downloads: Downloads): number => downloads.reduce((sum, { n }) => sum + n, 0)

const downloadsColumn = (downloads: Downloads): TableColumn<ReleaseFile> => ({
  id: 'downloads',
  title: t.downloads,
  isNumber: true,
  onPhone: 'under',
  cell: (file) => formatCount(downloads.find(({ name }) => name === file.name)?.n ?? 0),
})

interface FileTableProps {
  files: readonly ReleaseFile[]
  downloads?: Downloads | undefined
}

/** What can be downloaded, with what it must add up to. */
export function FileTable({ files, downloads }: FileTableProps) {
  const inOrder = [...files].sort((one, other) => place(one) - place(other))
  const shown = downloads ? [...columns, downloadsColumn(downloads)] : columns
  return <Table label={t.files} columns={shown} rows={inOrder} rowId={(file) => file.name} />
}

import { Digest } from '@/components/ui/digest'
import { DownloadLink } from '@/components/ui/download-link'
import { Table, type TableColumn } from '@/components/ui/table'
import type { ReleaseFile } from '@/lib/api/served'
import { formatBytes } from '@/lib/format/numbers'
import styles from './release-page.module.css'

const columns: TableColumn<ReleaseFile>[] = [
  {
    id: 'name',
    title: 'File',
    cell: (file) => <DownloadLink href={file.url}>{file.name}</DownloadLink>,
  },
  {
    id: 'size',
    title: 'Size',
    isNumber: true,
    cell: (file) => <span className={styles.size}>{formatBytes(file.n_bytes)}</span>,
  },
  {
    id: 'sha256',
    title: 'SHA-256',
    cell: (file) => <Digest value={file.sha256} what={`the checksum of ${file.name}`} />,
  },
]

/** What can be downloaded, with what it must add up to. */
export function FileTable({ files }: { files: readonly ReleaseFile[] }) {
  return <Table label="Files" columns={columns} rows={files} rowId={(file) => file.name} />
}

import { Digest } from '@/components/ui/digest'
import { DownloadLink } from '@/components/ui/download-link'
import { Table, type TableColumn } from '@/components/ui/table'
import type { ReleaseFile } from '@/lib/api/served'
import { formatBytes } from '@/lib/format/numbers'
import { t } from '@/messages/releases'
import styles from './release-page.module.css'

const columns: TableColumn<ReleaseFile>[] = [
  {
    id: 'name',
    title: t.file,
    cell: (file) => <DownloadLink href={file.url}>{file.name}</DownloadLink>,
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

/** What can be downloaded, with what it must add up to. */
export function FileTable({ files }: { files: readonly ReleaseFile[] }) {
  return <Table label={t.files} columns={columns} rows={files} rowId={(file) => file.name} />
}

import { ProgressBar } from '@/components/ui/progress-bar'
import type { UploadProgress } from '@/lib/api/upload-files'
import { formatBytes } from '@/lib/format/numbers'
import { t } from '@/messages/uploads'
import styles from './upload.module.css'

/** How much has been sent; when all has, the server is still looking at it. */
export function UploadBar({ progress }: { progress: UploadProgress }) {
  const isSent = progress.sent >= progress.total
  return (
    <div className={styles.sending}>
      <ProgressBar label={t.upload} value={progress.sent} max={isSent ? null : progress.total} />
      <p role="status">
        {isSent ? t.allArrived : t.sent({ sent: formatBytes(progress.sent), total: formatBytes(progress.total) })}
      </p>
    </div>
  )
}

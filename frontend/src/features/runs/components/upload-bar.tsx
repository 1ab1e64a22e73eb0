import { ProgressBar } from '@/components/ui/progress-bar'
import { formatBytes } from '@/lib/format/numbers'
import type { UploadProgress } from '../api/upload-files'
import styles from './stage-dialog.module.css'

/** How much has been sent; when all has, the server is still looking at it. */
export function UploadBar({ progress }: { progress: UploadProgress }) {
  const isSent = progress.sent >= progress.total
  return (
    <div className={styles.sending}>
      <ProgressBar label="Upload" value={progress.sent} max={isSent ? null : progress.total} />
      <p role="status">
        {isSent
          ? 'Everything has arrived. The server is looking through it.'
          : `${formatBytes(progress.sent)} of ${formatBytes(progress.total)} sent.`}
      </p>
    </div>
  )
}

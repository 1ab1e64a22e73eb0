import { useState } from 'react'
import { Badge, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Digest } from '@/components/ui/digest'
import { DownloadLink } from '@/components/ui/download-link'
import { Notice } from '@/components/ui/notice'
import { ProgressBar } from '@/components/ui/progress-bar'
import { RelativeTime } from '@/components/ui/relative-time'
import { asApiError } from '@/lib/api/api-error'
import type { Export } from '@/lib/api/served'
import { formatBytes } from '@/lib/format/numbers'
import { inOurLanguage } from '@/lib/language/catalogue'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/exports'
import { isLive, useCancelExport, useDeleteExport } from '../api/exports'
import { nameOf, stateNames } from '../state/export-words'
import styles from './exports.module.css'

interface OfExport {
  slug: string
  made: Export
}

const tones: Readonly<Record<Export['state'], Tone>> = {
  queued: 'neutral',
  running: 'accent',
  ready: 'done',
  failed: 'failed',
  cancelled: 'neutral',
  expired: 'neutral',
}

export function ExportLine({ slug, made }: OfExport) {
  return (
    <li className={styles.line}>
      <div className={styles.head}>
        <h2 className={styles.name}>{nameOf(made)}</h2>
        <Badge tone={tones[made.state]}>{stateNames[made.state]}</Badge>
        <span className={styles.note}>
          <RelativeTime at={made.created_at} />
          {made.created_by && `, ${made.created_by}`}
        </span>
      </div>
      {isLive(made) && <ProgressBar label={t.progress} value={made.done} max={made.total ?? null} />}
      {made.error && <Notice tone="bad">{inOurLanguage(made.error.code, made.error.params, made.error.message)}</Notice>}
      {made.url && <ReadyFile made={made} url={made.url} />}
      <div className={styles.deeds}>
        {isLive(made) ? <Cancel slug={slug} made={made} /> : <Delete slug={slug} made={made} />}
      </div>
    </li>
  )
}

function ReadyFile({ made, url }: { made: Export; url: string }) {
  return (
    <>
      <p className={styles.file}>
        <DownloadLink href={url}>{made.file_name}</DownloadLink>
        <span className={styles.note}>
          {formatBytes(made.n_bytes ?? 0)}, {t.rows({ n: made.n_rows ?? 0 })}
        </span>
      </p>
      <div className={styles.file}>
        <Digest value={made.sha256} what={t.checksum} />
        {made.expires_at && (
          <p className={styles.note}>
            <Sentence of={t.deletedAt} parts={{ when: <RelativeTime at={made.expires_at} /> }} />
          </p>
        )}
      </div>
    </>
  )
}

function Cancel({ slug, made }: OfExport) {
  const { mutate, isPending, error } = useCancelExport(slug)
  return (
    <>
      <Button size="small" isPending={isPending || made.cancel_requested} onPress={() => mutate(made.id)}>
        {t.cancel}
      </Button>
      {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
    </>
  )
}

function Delete({ slug, made }: OfExport) {
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending, error } = useDeleteExport(slug)
  return (
    <>
      <Button size="small" onPress={() => setAsking(true)}>
        {t.delete}
      </Button>
      <ConfirmDialog
        title={t.deleteQuestion}
        verb={t.delete}
        isOpen={isAsking}
        isPending={isPending}
        error={error}
        onConfirm={() => mutate(made.id)}
        onClose={() => setAsking(false)}
      >
        {t.deleteConsequence}
      </ConfirmDialog>
    </>
  )
}

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { TextField } from '@/components/ui/text-field'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { ReleaseEntry } from '@/lib/api/served'
import { t } from '@/messages/releases'
import { useWithdrawImage } from '../api/withdraw-image'
import styles from './withdraw-image.module.css'

const longestReason = 2000

interface WithdrawImageProps {
  slug: string
  releaseId: string
  entry: ReleaseEntry
}

/** Takes an image out of all that is published, with a reason: for curators. */
export function WithdrawImage({ slug, releaseId, entry }: WithdrawImageProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      {!entry.withdrawn && (
        <Button
          size="small"
          variant="quiet"
          className={styles.deed}
          aria-label={t.withdrawThis({ key: entry.image.key })}
          onPress={() => setAsking(true)}
        >
          {t.withdrawImage}
        </Button>
      )}
      {isAsking && <WithdrawDialog slug={slug} releaseId={releaseId} entry={entry} onClose={() => setAsking(false)} />}
    </>
  )
}

interface WithdrawDialogProps extends WithdrawImageProps {
  onClose: () => void
}

function WithdrawDialog({ slug, releaseId, entry: { image }, onClose }: WithdrawDialogProps) {
  const [reason, setReason] = useState('')
  const { mutate, isPending, error } = useWithdrawImage(slug, releaseId, image.digest)
  const wrongReason = error ? asApiError(error).fieldErrors().reason : undefined
  const withdraw = () =>
    mutate(reason.trim(), {
      onSuccess: () => {
        onClose()
        showToast(t.withdrawDone)
      },
    })
  return (
    <ConfirmDialog
      title={t.withdrawQuestion}
      verb={t.withdrawImage}
      isOpen
      isPending={isPending}
      isDisabled={reason.trim() === ''}
      error={wrongReason ? undefined : error}
      onConfirm={withdraw}
      onClose={onClose}
    >
      <div className={styles.dialog}>
        <p className={styles.which}>
          {image.thumbnail && <img src={image.thumbnail.small.url} alt="" />}
          <span dir="auto">{image.key}</span>
        </p>
        <p>{t.withdrawConsequence}</p>
        <p>
          <strong>{t.withdrawForGood}</strong>
        </p>
        <TextField
          label={t.withdrawReason}
          hint={t.withdrawReasonHint}
          rows={3}
          maxLength={longestReason}
          isRequired
          value={reason}
          onChange={setReason}
          error={wrongReason}
        />
      </div>
    </ConfirmDialog>
  )
}

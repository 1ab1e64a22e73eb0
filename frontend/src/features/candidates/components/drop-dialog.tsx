import { type SubmitEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/text-field'
import type { Candidate } from '@/lib/api/served'
import { t } from '@/messages/candidates'
import { CaptionText } from './caption-text'
import styles from './pool-page.module.css'

export interface DropDialogProps {
  candidate: Candidate
  onDrop: (candidate: Candidate, reason: string) => void
  onClose: () => void
}

const longestReason = 300
const form = 'drop-caption'

/** Asks why; Enter drops, with a reason or without. */
export function DropDialog({ candidate, onDrop, onClose }: DropDialogProps) {
  const [reason, setReason] = useState('')
  const drop = (event: SubmitEvent) => {
    event.preventDefault()
    onDrop(candidate, reason.trim())
    onClose()
  }
  const footer = (
    <>
      <Button onPress={onClose}>{t.keepIt}</Button>
      <Button type="submit" form={form} variant="primary">
        {t.drop}
      </Button>
    </>
  )
  return (
    <Dialog title={t.dropCaption} isOpen onClose={onClose} footer={footer}>
      <form id={form} className={styles.form} onSubmit={drop}>
        <CaptionText text={candidate.text || candidate.raw_text} />
        <TextField
          label={t.why}
          hint={t.whyHint}
          value={reason}
          onChange={setReason}
          maxLength={longestReason}
          autoFocus
        />
      </form>
    </Dialog>
  )
}

import { type KeyboardEvent, type SubmitEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { ChoiceGroup } from '@/components/ui/choice-group'
import { Dialog } from '@/components/ui/dialog'
import { Notice } from '@/components/ui/notice'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import type { SkipIn } from '@/lib/api/contract'
import { type SkipReason, skipReasons } from '@/lib/judging/annotation-words'
import { t } from '@/messages/annotate'
import { useSkipAssignment } from '../api/skip-assignment'
import styles from './desk-dialogs.module.css'

export interface SkipDialogProps {
  assignmentId: string
  /** It is skipped; `isBack` when it comes back to this person. */
  onSkipped: (isBack: boolean) => void
  onClose: () => void
}

const form = 'skip-form'
const reasons = skipReasons.map(({ reason, name }, place) => ({ value: reason, label: name, key: String(place + 1) }))
const ways = [
  { value: 'others', label: t.toOthers, detail: t.toOthersHint },
  { value: 'me', label: t.backToMe, detail: t.backToMeHint },
] as const

/** Why this one is left out, and who shall have it. What was judged of it stays as a draft. */
export function SkipDialog({ assignmentId, onSkipped, onClose }: SkipDialogProps) {
  const [reason, setReason] = useState<SkipReason | null>(null)
  const [to, setTo] = useState<SkipIn['to']>('others')
  const [comment, setComment] = useState('')
  const { mutate, isPending, error } = useSkipAssignment()
  const skip = (event: SubmitEvent) => {
    event.preventDefault()
    if (!reason) return
    mutate(
      { id: assignmentId, skip: { reason, to, comment: comment.trim() } },
      { onSuccess: () => onSkipped(to === 'me') },
    )
  }
  const handleKeys = (event: KeyboardEvent) => {
    const found = reasons.find(({ key }) => key === event.key)
    if (found && !isWriting(event.target)) setReason(found.value)
  }
  const footer = (
    <>
      <Button onPress={onClose}>{t.goOnJudging}</Button>
      <Button type="submit" form={form} variant="primary" isPending={isPending} isDisabled={!reason}>
        {t.skipIt}
      </Button>
    </>
  )
  return (
    <Dialog title={t.skipThis} isOpen onClose={onClose} footer={footer}>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- digits choose from its reasons. */}
      <form id={form} ref={focusFirst} className={styles.form} onSubmit={skip} onKeyDown={handleKeys}>
        {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
        <ChoiceGroup label={t.why} choices={reasons} value={reason} onChange={setReason} />
        <TextField label={t.whatElse} hint={t.mayStayEmpty} maxLength={500} value={comment} onChange={setComment} />
        <ChoiceGroup label={t.whereItGoes} choices={ways} value={to} onChange={setTo} />
      </form>
    </Dialog>
  )
}

/** The digits act at once; nothing is chosen by that. */
const focusFirst = (element: HTMLFormElement | null) => element?.querySelector('input')?.focus()

const isWriting = (target: EventTarget): boolean => target instanceof HTMLElement && target.matches('textarea, [type=text]')

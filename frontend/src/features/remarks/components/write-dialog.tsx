import { type SubmitEvent, useState } from 'react'
import { LabelBadge, labelLooks } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { NotNow } from '@/components/ui/not-now'
import { Notice } from '@/components/ui/notice'
import { PairWords } from '@/components/ui/remark-words'
import { Select } from '@/components/ui/select'
import { TextField } from '@/components/ui/text-field'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { Label } from '@/lib/api/contract'
import type { Judged } from '@/lib/api/served'
import { t } from '@/messages/remarks'
import { useWriteRemark } from '../api/remarks'
import styles from './remarks.module.css'

const formId = 'remark-form'
const longest = 2000
const labels: readonly Label[] = ['good', 'bad', 'unsure']
const choices: readonly { value: Label | 'none'; label: string }[] = [
  { value: 'none', label: t.notSaid },
  ...labels.map((label) => ({ value: label, label: labelLooks[label].word })),
]

/** A remark on one judgment: a few words, and which label would be right if there is one. */
export function WriteDialog({ slug, judged, onClose }: { slug: string; judged: Judged; onClose: () => void }) {
  const [text, setText] = useState('')
  const [label, setLabel] = useState<Label | 'none'>('none')
  const { mutate, isPending, error } = useWriteRemark(slug)
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    mutate(
      { judgment: judged.id, text: text.trim(), label: label === 'none' ? null : label },
      {
        onSuccess: () => {
          showToast(t.sent)
          onClose()
        },
      },
    )
  }
  const footer = (
    <>
      <NotNow onPress={onClose} />
      <Button type="submit" form={formId} variant="primary" isPending={isPending} isDisabled={text.trim() === ''}>
        {t.send}
      </Button>
    </>
  )
  return (
    <Dialog title={t.write} isOpen onClose={onClose} footer={footer}>
      <form id={formId} className={styles.form} onSubmit={send}>
        <PairWords pair={judged} />
        {judged.item.label && (
          <p>
            <LabelBadge label={judged.item.label} />
          </p>
        )}
        <TextField
          label={t.text}
          hint={t.textHint}
          rows={4}
          maxLength={longest}
          autoFocus
          value={text}
          onChange={setText}
        />
        <Select label={t.right} choices={choices} value={label} onChange={setLabel} />
        {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
      </form>
    </Dialog>
  )
}

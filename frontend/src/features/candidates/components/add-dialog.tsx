import { type SubmitEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { NotNow } from '@/components/ui/not-now'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import { t } from '@/messages/candidates'
import { useAddCandidate } from '../api/add-candidate'
import styles from './pool-page.module.css'

export interface AddDialogProps {
  slug: string
  imageId: number
  onClose: () => void
}

const form = 'add-caption'

/** A caption that a person writes for this photograph. */
export function AddDialog({ slug, imageId, onClose }: AddDialogProps) {
  const { mutate, isPending, error, reset } = useAddCandidate(slug, imageId)
  const [text, setText] = useState('')
  const write = (words: string) => {
    setText(words)
    // A field that is said to be wrong could not be sent again.
    if (error) reset()
  }
  const add = (event: SubmitEvent) => {
    event.preventDefault()
    mutate(text, { onSuccess: onClose })
  }
  const footer = (
    <>
      <NotNow onPress={onClose} />
      <Button type="submit" form={form} variant="primary" isPending={isPending} isDisabled={text.trim() === ''}>
        {t.add}
      </Button>
    </>
  )
  return (
    <Dialog title={t.addCaption} isOpen onClose={onClose} footer={footer}>
      <form id={form} className={styles.form} onSubmit={add}>
        <TextField
          label={t.caption}
          hint={t.addHint}
          value={text}
          onChange={write}
          rows={3}
          error={error ? asApiError(error).message : undefined}
          autoFocus
        />
      </form>
    </Dialog>
  )
}

import { type SubmitEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { NotNow } from '@/components/ui/not-now'
import { TextField } from '@/components/ui/text-field'
import { t } from '@/messages/inbox'
import styles from './inbox.module.css'

const longest = 2000

/** A word back, under the remark it is about. */
export function ReplyForm({ onSend, onClose }: { onSend: (text: string) => void; onClose: () => void }) {
  const [text, setText] = useState('')
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    if (text.trim()) onSend(text.trim())
  }
  return (
    <form className={styles.reply} onSubmit={send}>
      <TextField label={t.yourReply} rows={3} maxLength={longest} autoFocus value={text} onChange={setText} />
      <div className={styles.answers}>
        <Button size="small" type="submit" variant="primary" isDisabled={text.trim() === ''}>
          {t.send}
        </Button>
        <NotNow size="small" variant="quiet" onPress={onClose} />
      </div>
    </form>
  )
}

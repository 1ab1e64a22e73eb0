import { type SubmitEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { NotNow } from '@/components/ui/not-now'
import { Notice } from '@/components/ui/notice'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import type { Remark } from '@/lib/api/served'
import { t } from '@/messages/remarks'
import { useReply } from '../api/remarks'
import styles from './remarks.module.css'

const longest = 2000

/** A reply to the person, under the thread. It stands out where the person waits for it. */
export function ThreadReply({ slug, remark }: { slug: string; remark: Remark }) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const { mutate, isPending, error } = useReply(slug, remark.id)
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    mutate(text.trim(), {
      onSuccess: () => {
        setText('')
        setOpen(false)
      },
    })
  }
  if (!isOpen) {
    return (
      <Button size="small" variant={remark.awaits_reply ? 'primary' : 'secondary'} onPress={() => setOpen(true)}>
        {t.reply}
      </Button>
    )
  }
  return (
    <form className={styles.form} onSubmit={send}>
      <TextField label={t.replyText} rows={3} maxLength={longest} autoFocus value={text} onChange={setText} />
      {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
      <div className={styles.deeds}>
        <Button size="small" type="submit" variant="primary" isPending={isPending} isDisabled={text.trim() === ''}>
          {t.sendReply}
        </Button>
        <NotNow size="small" variant="quiet" onPress={() => setOpen(false)} />
      </div>
    </form>
  )
}

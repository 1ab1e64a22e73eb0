import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { asApiError } from '@/lib/api/api-error'
import { t } from '@/messages/review'
import { useReply } from '../api/feedback'
import styles from './strip.module.css'

const longest = 2000

/** A word back to somebody who waits for one, in the thread. */
export function ThreadReply({ slug, remark }: { slug: string; remark: number }) {
  const [text, setText] = useState('')
  const { mutate, isPending, error } = useReply(slug)
  const send = () => mutate({ remark, text: text.trim() }, { onSuccess: () => setText('') })
  return (
    <div className={styles.line}>
      <textarea
        className={styles.field}
        aria-label={t.replyText}
        placeholder={t.replyText}
        rows={1}
        dir="auto"
        maxLength={longest}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
      <Button size="small" isPending={isPending} isDisabled={text.trim() === ''} onPress={send}>
        {t.sendReply}
      </Button>
    </div>
  )
}

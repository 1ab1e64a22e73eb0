import { type SubmitEvent, useState } from 'react'
import { Badge, LabelBadge, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { MoreButton } from '@/components/ui/more-button'
import { NotNow } from '@/components/ui/not-now'
import { Notice } from '@/components/ui/notice'
import { Note, PairPicture, PairWords, Said, Turn } from '@/components/ui/remark-words'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import type { Remark } from '@/lib/api/served'
import { t as common } from '@/messages/common'
import { t } from '@/messages/remarks'
import { useRemarks, useReply, type Waiting } from '../api/remarks'
import { pictureAlt } from '../state/picture-alt'
import styles from './remarks.module.css'

const longest = 2000
const states: readonly { value: Waiting; label: string }[] = [
  { value: 'all', label: t.all },
  { value: 'unread', label: t.unread },
  { value: 'awaiting', label: t.awaiting },
]

/** What was written to one person: who has not read it, who answered what, whose turn it is. */
export function RemarksTab({ slug, annotator }: { slug: string; annotator: number }) {
  const [waiting, setWaiting] = useState<Waiting>('all')
  const { data, error, isPending, refetch, ...pages } = useRemarks(slug, annotator, waiting)
  const remarks = data?.pages.flatMap((page) => page.results) ?? []
  return (
    <section className={styles.section} aria-label={t.remarks}>
      <div className={styles.filters}>
        <Select label={t.state} choices={states} value={waiting} onChange={setWaiting} />
      </div>
      {isPending && <Skeleton label={t.remarks} rows={3} />}
      {error && <ErrorState error={error} title={t.remarksNotShown} onRetry={() => void refetch()} />}
      {data && remarks.length === 0 && <NoRemarks isFiltered={waiting !== 'all'} />}
      <ol className={styles.rows}>
        {remarks.map((remark) => (
          <WrittenRemark key={remark.id} slug={slug} remark={remark} />
        ))}
      </ol>
      <MoreButton {...pages}>{t.moreRemarks}</MoreButton>
    </section>
  )
}

function NoRemarks({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Note>{t.noneWaits}</Note>
  return <EmptyState title={t.noRemarks}>{t.noRemarksHint}</EmptyState>
}

function WrittenRemark({ slug, remark }: { slug: string; remark: Remark }) {
  const { item, label, label_then, text, written_by, created_at, replies } = remark
  return (
    <li className={styles.row}>
      <PairPicture pair={remark} alt={pictureAlt} />
      <div className={styles.words}>
        <PairWords pair={remark} />
        <Said>
          <LabelBadge label={label_then} />
          {item.label && item.label !== label_then && (
            <>
              {t.nowSays} <LabelBadge label={item.label} />
            </>
          )}
          <StateBadge remark={remark} />
        </Said>
        <Turn name={written_by.name} at={created_at} text={text} label={label} />
        {replies.map((reply) => (
          <Turn key={reply.id} name={reply.author.name} at={reply.created_at} text={reply.text} />
        ))}
        {remark.answer === 'talk' && <Reply slug={slug} remark={remark} />}
      </div>
    </li>
  )
}

const answers: Record<NonNullable<Remark['answer']>, { word: string; tone: Tone }> = {
  seen: { word: common.seen, tone: 'neutral' },
  agree: { word: t.agrees, tone: 'good' },
  talk: { word: t.talks, tone: 'accent' },
}

function StateBadge({ remark: { answer, is_unread, awaits_reply } }: { remark: Remark }) {
  return (
    <>
      {answer && <Badge tone={answers[answer].tone}>{answers[answer].word}</Badge>}
      {is_unread && <Badge>{t.unread}</Badge>}
      {awaits_reply && <Badge tone="accent">{t.awaiting}</Badge>}
    </>
  )
}

function Reply({ slug, remark }: { slug: string; remark: Remark }) {
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
      <Button size="small" className={styles.deed ?? ''} onPress={() => setOpen(true)}>
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

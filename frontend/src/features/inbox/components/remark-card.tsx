import { ActiveRow } from '@/components/ui/active-row'
import { Badge, LabelBadge } from '@/components/ui/badge'
import { Note, PairPicture, PairWords, Said, Turn } from '@/components/ui/remark-words'
import type { Remark } from '@/lib/api/served'
import { dayOf } from '@/lib/format/time'
import { t } from '@/messages/inbox'
import { AnswerBar } from './answer-bar'
import styles from './inbox.module.css'
import { ReplyForm } from './reply-form'
import { ReviseDeed } from './revise-deed'

const alt = { ofCaptions: t.photograph, judged: t.judgedPicture }

export interface RemarkCardProps {
  slug: string
  remark: Remark
  index: number
  /** Whether the keys of the page act on it. */
  isActive: boolean
  isTalking: boolean
  onAnswer: (said: 'seen' | 'agree') => void
  onTalk: (isOpen: boolean) => void
  onSend: (text: string) => void
}

/** One remark: the picture, the caption and the person's own word beside it, the talk and the answers under it. */
export function RemarkCard(props: RemarkCardProps) {
  const { slug, remark, index, isActive, isTalking, onAnswer, onTalk, onSend } = props
  return (
    <ActiveRow
      className={styles.card}
      index={index}
      isActive={isActive}
      aria-label={t.remarkBy({ name: remark.written_by.name })}
    >
      <PairPicture pair={remark} alt={alt} />
      <div className={styles.words}>
        <Judged remark={remark} />
        <Talk remark={remark} />
        {isTalking ? (
          <ReplyForm onSend={onSend} onClose={() => onTalk(false)} />
        ) : (
          <AnswerBar
            remark={remark}
            isActive={isActive}
            onSeen={() => onAnswer('seen')}
            onAgree={() => onAnswer('agree')}
            onTalk={() => onTalk(true)}
          />
        )}
        {remark.answer === 'agree' && <ReviseDeed slug={slug} remark={remark} />}
        {remark.closed && <Note>{t.closed({ name: remark.closed.by, day: dayOf(remark.closed.on) })}</Note>}
      </div>
    </ActiveRow>
  )
}

function Judged({ remark }: { remark: Remark }) {
  const { item, label_then } = remark
  return (
    <>
      <PairWords pair={remark} />
      <Said>
        {item.label === label_then ? t.youSaid : t.youSaidThen} <LabelBadge label={label_then} />
        {item.label && item.label !== label_then && (
          <>
            {t.now} <LabelBadge label={item.label} />
          </>
        )}
      </Said>
      {item.comment && <Note>{item.comment}</Note>}
    </>
  )
}

function Talk({ remark }: { remark: Remark }) {
  const { written_by, created_at, text, label, is_unread, replies } = remark
  const badge = is_unread && <Badge tone="accent">{t.unread}</Badge>
  return (
    <ol className={styles.talk}>
      <li>
        <Turn name={written_by.name} at={created_at} text={text} label={label} badge={badge} />
      </li>
      {replies.map((reply) => (
        <li key={reply.id}>
          <Turn name={reply.author.name} at={reply.created_at} text={reply.text} />
        </li>
      ))}
    </ol>
  )
}

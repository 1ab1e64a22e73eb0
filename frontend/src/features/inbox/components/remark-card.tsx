import { Badge, LabelBadge } from '@/components/ui/badge'
import { cx } from '@/components/ui/cx'
import { EditedCaption } from '@/components/ui/edited-caption'
import { RelativeTime } from '@/components/ui/relative-time'
import type { Remark } from '@/lib/api/served'
import { dayOf } from '@/lib/format/time'
import { t } from '@/messages/inbox'
import { AnswerBar } from './answer-bar'
import styles from './inbox.module.css'
import { ReplyForm } from './reply-form'
import { ReviseDeed } from './revise-deed'

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
    <li
      className={cx(styles.card, isActive && styles.active)}
      tabIndex={-1}
      data-index={index}
      aria-label={t.remarkBy({ name: remark.written_by.name })}
    >
      <Picture remark={remark} />
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
        {remark.closed && (
          <p className={styles.note}>{t.closed({ name: remark.closed.by, day: dayOf(remark.closed.on) })}</p>
        )}
      </div>
    </li>
  )
}

function Picture({ remark: { image, item } }: { remark: Remark }) {
  const shown = (image ?? item.image)?.thumbnail.small
  if (!shown) return null
  const alt = image ? t.photograph : t.judgedPicture
  return <img className={styles.picture} src={shown.url} alt={alt} width={shown.width} height={shown.height} />
}

function Judged({ remark: { item, query, label_then } }: { remark: Remark }) {
  return (
    <>
      {query && <p className={styles.note}>{t.forQuery({ query: query.text })}</p>}
      {item.text !== null && (
        <p className={styles.caption} lang="en" dir="auto">
          <EditedCaption text={item.text} edits={item.edits} />
        </p>
      )}
      <p className={styles.said}>
        {item.label === label_then ? t.youSaid : t.youSaidThen} <LabelBadge label={label_then} />
        {item.label && item.label !== label_then && (
          <>
            {t.now} <LabelBadge label={item.label} />
          </>
        )}
      </p>
      {item.comment && (
        <p className={styles.note} dir="auto">
          {item.comment}
        </p>
      )}
    </>
  )
}

function Talk({ remark }: { remark: Remark }) {
  const { written_by, created_at, text, label, is_unread, replies } = remark
  return (
    <ol className={styles.talk}>
      <li>
        <p className={styles.who}>
          <b>{written_by.name}</b> <RelativeTime at={created_at} />{' '}
          {is_unread && <Badge tone="accent">{t.unread}</Badge>}
        </p>
        <p className={styles.text} dir="auto">
          {text}
        </p>
        {label && (
          <p className={styles.said}>
            {t.wouldBe} <LabelBadge label={label} />
          </p>
        )}
      </li>
      {replies.map((reply) => (
        <li key={reply.id}>
          <p className={styles.who}>
            <b>{reply.author.name}</b> <RelativeTime at={reply.created_at} />
          </p>
          <p className={styles.text} dir="auto">
            {reply.text}
          </p>
        </li>
      ))}
    </ol>
  )
}

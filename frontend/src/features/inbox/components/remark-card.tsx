import { ActiveRow } from '@/components/ui/active-row'
import { Badge, LabelBadge } from '@/components/ui/badge'
import { Note, PairPicture, PairWords, Said, Turn } from '@/components/ui/remark-words'
import type { Remark, RemarkRow } from '@/lib/api/served'
import { dayOf } from '@/lib/format/time'
import { t } from '@/messages/inbox'
import { t as judging } from '@/messages/judging'
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
  onAnswer: (said: 'acknowledge' | 'agree') => void
  onTalk: (isOpen: boolean) => void
  onSend: (text: string) => void
}

/** One remark: the picture, the caption and the person's own answer, and beside them the talk and what can be said. */
export function RemarkCard(props: RemarkCardProps) {
  const { slug, remark, index, isActive, isTalking, onAnswer, onTalk, onSend } = props
  const [only, ...more] = remark.rows
  const isOne = only !== undefined && more.length === 0
  return (
    <ActiveRow
      className={isOne ? styles.card : styles.message}
      index={index}
      isActive={isActive}
      aria-label={t.remarkBy({ name: remark.written_by.name })}
    >
      {isOne && <PairPicture pair={only} alt={alt} isLarge />}
      <div className={styles.words}>
        {isOne && <Judged row={only} />}
        <Talk remark={remark} />
        {isTalking ? (
          <ReplyForm onSend={onSend} onClose={() => onTalk(false)} />
        ) : (
          <AnswerBar remark={remark} isActive={isActive} onAnswer={onAnswer} onTalk={() => onTalk(true)} />
        )}
        {isOne ? <Revise slug={slug} remark={remark} row={only} /> : <Rows slug={slug} remark={remark} />}
      </div>
    </ActiveRow>
  )
}

/** The answers that one message is about, each with its picture. */
function Rows({ slug, remark }: { slug: string; remark: Remark }) {
  return (
    <ol className={styles.rows} aria-label={t.aboutThese}>
      {remark.rows.map((row) => (
        <li key={`${row.assignment} ${String(row.item.position)}`} className={styles.row}>
          <PairPicture pair={row} alt={alt} />
          <div className={styles.words}>
            <Judged row={row} />
            <Revise slug={slug} remark={remark} row={row} />
          </div>
        </li>
      ))}
    </ol>
  )
}

/** The answer may be changed at once: returned work is done by a change. A closed answer names the person who closed it. */
function Revise({ slug, remark, row }: { slug: string; remark: Remark; row: RemarkRow }) {
  return (
    <>
      {remark.state !== 'withdrawn' && <ReviseDeed slug={slug} remark={remark} row={row} />}
      {row.closed && <Note>{t.closed({ name: row.closed.by, day: dayOf(row.closed.on) })}</Note>}
    </>
  )
}

function Judged({ row }: { row: RemarkRow }) {
  const { item, label, label_then } = row
  return (
    <>
      <PairWords pair={row} />
      <Said>
        {item.label === label_then ? t.youSaid : t.youSaidThen} <LabelBadge label={label_then} />
        {item.label && item.label !== label_then && (
          <>
            {t.now} <LabelBadge label={item.label} />
          </>
        )}
        {label && (
          <>
            {judging.wouldBe} <LabelBadge label={label} />
          </>
        )}
      </Said>
      {item.comment && <Note>{item.comment}</Note>}
    </>
  )
}

function Talk({ remark }: { remark: Remark }) {
  const { written_by, created_at, text, state, is_unread, replies } = remark
  const badge = is_unread && <Badge tone="accent">{t.unread}</Badge>
  return (
    <ol className={styles.talk}>
      <li>
        {state === 'withdrawn' ? (
          <Note>{t.withdrawn({ name: written_by.name })}</Note>
        ) : (
          <Turn name={written_by.name} at={created_at} text={text} badge={badge} />
        )}
      </li>
      {replies.map((reply) => (
        <li key={reply.id}>
          <Turn name={reply.author.name} at={reply.created_at} text={reply.text} />
        </li>
      ))}
    </ol>
  )
}

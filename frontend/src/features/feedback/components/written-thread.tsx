import { useState } from 'react'
import { Badge, LabelBadge, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Disclosure } from '@/components/ui/disclosure'
import { RelativeTime } from '@/components/ui/relative-time'
import { PairPicture, PairWords, Said, Turn } from '@/components/ui/remark-words'
import type { Remark, RemarkRow, RemarkState } from '@/lib/api/served'
import { templateName } from '@/lib/feedback/template-words'
import { t } from '@/messages/remarks'
import { useWithdraw } from '../api/remarks'
import { pictureAlt } from '../state/picture-alt'
import styles from './remarks.module.css'
import { ThreadReply } from './thread-reply'

const nShown = 2

/** One thread: the answers it is about, the words of both sides, its state with times, and what can be done. */
export function WrittenThread({ slug, remark }: { slug: string; remark: Remark }) {
  const { text, label, written_by, annotator, created_at, replies, rows } = remark
  const isWithdrawn = remark.state === 'withdrawn'
  return (
    <li className={styles.thread} aria-label={t.feedbackTo({ name: annotator.name })}>
      <About rows={rows} />
      <div className={styles.words}>
        <p className={styles.to}>
          <b dir="auto">{t.feedbackTo({ name: annotator.name })}</b>
          {remark.template && <Badge>{templateName(remark.template)}</Badge>}
          <StateBadge remark={remark} />
        </p>
        <Turn name={written_by.name} at={created_at} text={text} label={label} />
        {replies.map((reply) => (
          <Turn key={reply.id} name={reply.author.name} at={reply.created_at} text={reply.text} />
        ))}
        <Steps remark={remark} />
        {!isWithdrawn && (
          <div className={styles.deeds}>
            <ThreadReply slug={slug} remark={remark} />
            <Withdraw slug={slug} remark={remark} />
          </div>
        )}
      </div>
    </li>
  )
}

/** The answers it is about; of many, the first few, and the others on demand. */
function About({ rows }: { rows: readonly RemarkRow[] }) {
  const [first, others] = rows.length > nShown + 1 ? [rows.slice(0, nShown), rows.slice(nShown)] : [rows, []]
  const list = (shown: readonly RemarkRow[]) => (
    <ol className={styles.about}>
      {shown.map((row) => (
        <AboutRow key={row.judgment} row={row} />
      ))}
    </ol>
  )
  return (
    <div className={styles.about}>
      {list(first)}
      {others.length > 0 && <Disclosure summary={t.moreAnswers({ n: others.length })}>{list(others)}</Disclosure>}
    </div>
  )
}

function AboutRow({ row }: { row: RemarkRow }) {
  const { item, label_then } = row
  return (
    <li className={styles.aboutRow}>
      <PairPicture pair={row} alt={pictureAlt} />
      <div className={styles.words}>
        <PairWords pair={row} />
        <Said>
          <LabelBadge label={label_then} />
          {item.label && item.label !== label_then && (
            <>
              {t.nowSays} <LabelBadge label={item.label} />
            </>
          )}
        </Said>
      </div>
    </li>
  )
}

const looks: Record<RemarkState, { word: string; tone: Tone }> = {
  sent: { word: t.stateSent, tone: 'neutral' },
  seen: { word: t.stateSeen, tone: 'neutral' },
  acknowledged: { word: t.stateAcknowledged, tone: 'done' },
  answered: { word: t.stateAnswered, tone: 'accent' },
  withdrawn: { word: t.stateWithdrawn, tone: 'neutral' },
}

export const stateWord = (state: RemarkState): string => looks[state].word

/** One state and no second one: a thread that needs a reply says only this. */
function StateBadge({ remark: { state, answer, awaits_reply } }: { remark: Remark }) {
  if (awaits_reply) return <Badge tone="accent">{t.awaiting}</Badge>
  const { word, tone } = looks[state]
  return <Badge tone={tone}>{answer === 'agree' && state === 'acknowledged' ? t.agrees : word}</Badge>
}

/** When each step was. */
function Steps({ remark }: { remark: Remark }) {
  const { created_at, seen_at, acknowledged_at, answered_at, withdrawn_at, replies, is_unread } = remark
  const steps = [
    { word: t.stateSent, at: created_at },
    { word: t.stateSeen, at: seen_at },
    { word: t.stateAcknowledged, at: acknowledged_at },
    { word: t.stateAnswered, at: answered_at },
    { word: t.stateWithdrawn, at: withdrawn_at },
  ]
  return (
    <ol className={styles.steps}>
      {steps.map(({ word, at }) => at && <Step key={word} word={word} at={at} />)}
      {is_unread && seen_at && replies.length > 0 && <li>{t.replyNotSeen}</li>}
    </ol>
  )
}

const Step = ({ word, at }: { word: string; at: string }) => (
  <li>
    {word} <RelativeTime at={at} />
  </li>
)

function Withdraw({ slug, remark }: { slug: string; remark: Remark }) {
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending, error } = useWithdraw(slug, remark.id)
  return (
    <>
      <Button size="small" variant="quiet" onPress={() => setAsking(true)}>
        {t.withdraw}
      </Button>
      <ConfirmDialog
        title={t.withdrawTitle}
        verb={t.withdraw}
        isOpen={isAsking}
        isPending={isPending}
        error={error}
        onConfirm={() => mutate(undefined, { onSuccess: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      >
        <p>{t.withdrawHint({ name: remark.annotator.name })}</p>
      </ConfirmDialog>
    </>
  )
}

import { useEffect, useRef, useState } from 'react'
import { ActionButton, ActionIconButton } from '@/components/ui/action-button'
import { useAnnouncement } from '@/components/ui/announcer-store'
import { IconButton } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { UnreadMark } from '@/components/ui/unread-mark'
import { useAction } from '@/lib/actions/action-context'
import type { Assignment, Project } from '@/lib/api/contract'
import { useUnread } from '@/lib/feedback/get-unread'
import { formatDuration } from '@/lib/format/duration'
import { formatCount } from '@/lib/format/numbers'
import { Sentence } from '@/lib/language/sentence'
import { useProgress } from '@/lib/project/get-progress'
import { workLeft } from '@/lib/project/work-left'
import { t } from '@/messages/annotate'
import { useMinutesLeft } from '../state/use-minutes-left'
import styles from './annotate-page.module.css'

const shortMinutes = 5

export function DeskHeader({ project, assignment }: { project: Project; assignment: Assignment }) {
  useSpokenTime(assignment)
  return (
    <header className={styles.header}>
      <p className={styles.figures}>
        <SentToday project={project} />
        <Sent slug={project.slug} />
        <TimeLeft assignment={assignment} />
      </p>
      <Skip assignment={assignment} />
      <ActionButton id="guidelines.open" variant="quiet" size="small" icon="book" />
      <Feedback slug={project.slug} />
    </header>
  )
}

export interface PhoneToolsProps {
  project: Project
  assignment: Assignment
  isAlone?: boolean
}

/** What of the header a phone has room for. */
export function PhoneTools({ project, assignment, isAlone = false }: PhoneToolsProps) {
  const tools = (
    <>
      <Sent slug={project.slug} />
      <TimeLeft assignment={assignment} />
      <Skip assignment={assignment} />
      <ActionIconButton id="guidelines.open" icon="book" />
      <FeedbackMark slug={project.slug} />
    </>
  )
  return isAlone ? <div className={styles.phoneTools}>{tools}</div> : tools
}

/** The same where a word has no room. */
function FeedbackMark({ slug }: { slug: string }) {
  const action = useAction('feedback.open')
  const unread = useUnread(slug)
  if (!action) return null
  return (
    <span className={styles.feedback}>
      <IconButton icon="message" aria-label={action.label} tipKey={action.keys[0]} onPress={() => action.perform()} />
      <UnreadMark n={unread} />
    </span>
  )
}

/** Figures of the day; left out when they cannot be had, since the work does not need them. */
function SentToday({ project }: { project: Project }) {
  const progress = useProgress(project.slug).data
  if (!progress) return null
  const { mine } = progress
  const { done, total, minutes: left } = workLeft(progress, project.hits_per_annotator)
  const minutes = Math.round(mine.ms_today / 60_000)
  return (
    <>
      <span title={t.inAll({ submittedTotal: formatCount(mine.submitted_total) })}>
        <Sentence of={t.sentToday} parts={{ n: <b>{formatCount(mine.submitted_today)}</b> }} />
      </span>
      {minutes > 0 && <span title={t.timeToday}>{formatDuration(minutes * 60)}</span>}
      <span title={t.tasksForYou}>
        {t.doneOf({ done: formatCount(done), total: formatCount(total) })}
        {left !== null && total > done && `, ${t.aboutSoLong({ time: formatDuration(left * 60) })}`}
      </span>
    </>
  )
}

const sentMs = 2500

/** For a moment after the server took a task: the next one may look like it. It is said aloud elsewhere. */
function Sent({ slug }: { slug: string }) {
  const n = useProgress(slug).data?.mine.submitted_total
  const before = useRef(n)
  const [isFresh, setFresh] = useState(false)
  useEffect(() => {
    const hasRisen = n !== undefined && before.current !== undefined && n > before.current
    before.current = n
    if (!hasRisen) return undefined
    setFresh(true)
    const timer = setTimeout(() => setFresh(false), sentMs)
    return () => clearTimeout(timer)
  }, [n])
  return isFresh && <SentMark />
}

const SentMark = () => (
  <span className={styles.sent} aria-hidden="true">
    <Icon name="check" size={14} strokeWidth={2.4} /> {t.sent}
  </span>
)

/** What was sent is not skipped any more. */
function Skip({ assignment }: { assignment: Assignment }) {
  return assignment.submitted_at ? null : <ActionButton id="hit.skip" variant="quiet" size="small" />
}

const timeLeft = (minutes: number): string => (minutes === 0 ? t.timeOver : t.minutesLeft({ minutes }))

/** Says the time left, which is written down at two places, once: as it runs short, and when it is over. */
function useSpokenTime(assignment: Assignment): void {
  const minutes = useMinutesLeft(assignment.expires_at)
  const isDue = assignment.submitted_at === null && (minutes === shortMinutes || minutes <= 1)
  useAnnouncement(isDue ? timeLeft(minutes) : null)
}

/** Quiet until the lease runs short. */
function TimeLeft({ assignment }: { assignment: Assignment }) {
  const minutes = useMinutesLeft(assignment.expires_at)
  if (minutes > shortMinutes || assignment.submitted_at) return null
  return <span className={styles.short}>{timeLeft(minutes)}</span>
}

/** What the head annotator wrote, beside the work. */
function Feedback({ slug }: { slug: string }) {
  return (
    <span className={styles.feedback}>
      <ActionButton id="feedback.open" variant="quiet" size="small" />
      <UnreadMark n={useUnread(slug)} />
    </span>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { ActionButton } from '@/components/ui/action-button'
import { useAnnouncement } from '@/components/ui/announcer-store'
import { Button } from '@/components/ui/button'
import { Delayed } from '@/components/ui/skeleton'
import { useActions } from '@/lib/actions/action-context'
import type { Assignment, Project } from '@/lib/api/contract'
import type { Reason } from '@/lib/judging/annotation-words'
import { useObserved } from '@/lib/observed'
import { onDemand } from '@/lib/on-demand'
import { askToSignIn, endedSession } from '@/lib/session/ended-session'
import { fromDesk } from '@/lib/store/kept-desk'
import { t } from '@/messages/annotate'
import { outboxActions } from '../outbox-actions'
import { Hand } from '../state/counter'
import { noticeFor } from '../state/notice'
import type { Desk } from '../state/use-desk'
import { useOutbox } from '../state/use-outbox'
import styles from './annotate-page.module.css'
import { NotYet } from './not-yet'

const RefusedDialog = onDemand(() => import('./refused-dialog').then((module) => module.RefusedDialog), NotYet)

const lastWords: Partial<Record<Reason, string>> = {
  paused: t.lastBecausePaused,
  excluded: t.lastBecauseEnded,
}

/** Says that this HIT is with the server already, and what to do with it now. */
export function SentBefore({ assignment }: { assignment: Assignment }) {
  useAnnouncement(assignment.submitted_at && t.sentAlready)
  if (!assignment.submitted_at) return null
  return (
    <div className={styles.notice} role="note">
      <p>{t.sentAlready}</p>
      <ActionButton id="hit.leave" size="small" showsKey />
    </div>
  )
}

export interface DeskNoticeProps {
  project: Project
  assignment: Assignment
  desk: Desk
}

/** What the person should know before they go on, above the answer keys. */
export function DeskNotice({ project, assignment, desk }: DeskNoticeProps) {
  const { isLastBecause, hasRunOut, failure } = desk
  const isAwaiting = useOutbox().state.obstacle === null && desk.isSending
  const isFromHere = useObserved(fromDesk)
  const kept = isFromHere ? t.openedOffline : null
  const words = kept ?? (isLastBecause && lastWords[isLastBecause]) ?? (hasRunOut ? t.ranOutMeanwhile : null)
  const failed =
    failure && t.changesKeptHere({ value: failure.error.isOffline ? t.youAreOffline : failure.error.message })
  useAnnouncement(words)
  useAnnouncement(failed, 'assertive')
  return (
    <>
      <OutboxNotice slug={project.slug} onDesk={assignment.id} />
      {isAwaiting && (
        <Delayed>
          <OnItsWay />
        </Delayed>
      )}
      {failure && (
        <div className={styles.notice} role="note">
          <p>{failed}</p>
          <Button size="small" onPress={failure.retry}>
            {t.sendAgain}
          </Button>
        </div>
      )}
      {words && (
        <div className={styles.notice} role="note">
          <p>{words}</p>
        </div>
      )}
    </>
  )
}

/** Where the line is slower than the person: why the keys rest. */
function OnItsWay() {
  useAnnouncement(t.nextOnItsWay)
  return (
    <div className={styles.calm}>
      <p>{t.nextOnItsWay}</p>
    </div>
  )
}

export interface OutboxNoticeProps {
  slug: string
  /** The HIT in sight, if any. */
  onDesk: string | null
}

/** What of the submitted work is not at the server, and what can be done about it. */
export function OutboxNotice({ slug, onDesk }: OutboxNoticeProps) {
  const hand = useHand(slug)
  const { outbox, state } = useOutbox()
  const [isLooking, setLooking] = useState(false)
  const session = useObserved(endedSession)
  useAnnouncement(session === 'ended' ? t.sessionEnded : null)
  const notice = noticeFor(state, onDesk, session === 'ended' || session === 'left')
  const offers = (way: string) => () => notice?.ways.some((each) => each === way) ?? false
  const mine = [...state.waiting, ...state.refused].find(({ assignmentId }) => assignmentId === onDesk)
  useActions(outboxActions, {
    'outbox.send': { when: offers('send'), perform: () => void outbox.send() },
    'outbox.take-back': { when: offers('take-back'), perform: () => mine && outbox.drop(mine.id) },
    'outbox.look': { when: offers('look'), perform: () => setLooking(true) },
    'outbox.sign-in': {
      when: offers('sign-in'),
      perform: () => {
        askToSignIn()
        void outbox.send()
      },
    },
    'outbox.leave': { when: offers('leave'), perform: () => hand.moveOn() },
  })
  return (
    <>
      {notice && (
        <div className={styles.notice} role="note">
          <p>{notice.text}</p>
          {notice.ways.map((way) => (
            <ActionButton key={way} id={`outbox.${way}`} size="small" />
          ))}
        </div>
      )}
      {isLooking && (
        <RefusedDialog
          refused={state.refused}
          onSend={(outgoing) => outbox.put({ ...outgoing, refusal: null })}
          onDrop={({ id }) => outbox.drop(id)}
          onClose={() => setLooking(false)}
        />
      )}
    </>
  )
}

function useHand(slug: string): Hand {
  const queryClient = useQueryClient()
  return useMemo(() => new Hand(queryClient, slug), [queryClient, slug])
}

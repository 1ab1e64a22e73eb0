import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { ActionButton } from '@/components/ui/action-button'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Notes } from '@/components/ui/notes'
import { EmptyState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import { useAnnotatorState } from '@/lib/annotator-state/get-annotator-state'
import type { NextAssignment, Project } from '@/lib/api/contract'
import { say } from '@/lib/language/catalogue'
import { t } from '@/messages/annotate'
import { nothingActions } from '../actions'
import { wordsOf } from '../state/reason-words'
import { useArrival } from '../state/use-arrival'
import { useOutbox } from '../state/use-outbox'
import styles from './annotate-page.module.css'
import { DoneSoFar } from './done-so-far'
import { OutboxNotice } from './notice-bar'

export interface NothingHereProps {
  project: Project
  reason: NextAssignment['reason']
  onLook: () => void
  /** Brings the HIT just sent back; null where none was. */
  onBringBack: (() => void) | null
}

/** Why there is nothing to judge for this person now, and what to do about it. */
export function NothingHere(props: NothingHereProps) {
  const { waiting } = useOutbox().state
  const hasWork = props.onBringBack !== null || waiting.length > 0
  return props.reason === 'not_qualified' && !hasWork ? <FirstSteps slug={props.project.slug} /> : <Why {...props} />
}

/** A newcomer has nothing to decide here: the guidelines or the quiz open at once. */
function FirstSteps({ slug }: { slug: string }) {
  const navigate = useNavigate()
  useEffect(() => {
    void navigate({ to: '/projects/$slug/qualify', params: { slug }, replace: true })
  }, [navigate, slug])
  return <main aria-busy="true" />
}

function Why({ project, reason, onLook, onBringBack }: NothingHereProps) {
  const { title, icon, words, isAboutPerson, looksAgain = false } = wordsOf(reason)
  useArrival(`${title}. ${words}`)
  useLookingAgain(looksAgain, onLook)
  useActions(nothingActions, {
    'hit.bring-back': { when: () => onBringBack !== null, perform: () => onBringBack?.() },
  })
  return (
    <main>
      <EmptyState
        isPage
        title={title}
        icon={icon}
        action={
          <div className={styles.ways}>
            {reason === 'not_qualified' ? (
              <LinkButton to="/projects/$slug/qualify" params={{ slug: project.slug }} variant="primary" autoFocus>
                {t.begin}
              </LinkButton>
            ) : (
              <Button variant="primary" autoFocus onPress={onLook}>
                {t.lookAgain}
              </Button>
            )}
            {onBringBack && <ActionButton id="hit.bring-back" icon="undo" showsKey />}
            <LinkButton to="/">{t.goToProjects}</LinkButton>
          </div>
        }
      >
        <p>{words}</p>
        {icon === 'check' && <DoneSoFar slug={project.slug} />}
        <OutboxNotice slug={project.slug} onDesk={null} />
        {isAboutPerson && <WhatTheRulesSay slug={project.slug} />}
      </EmptyState>
    </main>
  )
}

const minute = 60_000

/** Somebody else ends the wait: the page finds out by itself. */
function useLookingAgain(isWanted: boolean, onLook: () => void): void {
  const newest = useRef(onLook)
  useEffect(() => {
    newest.current = onLook
  })
  useEffect(() => {
    if (!isWanted) return undefined
    const timer = setInterval(() => newest.current(), minute)
    return () => clearInterval(timer)
  }, [isWanted])
}

/** The policy's own sentences, where there are any. */
function WhatTheRulesSay({ slug }: { slug: string }): ReactNode {
  const reasons = useAnnotatorState(slug).data?.reasons ?? []
  return <Notes notes={reasons.map(say)} label={t.whatRulesSay} className={styles.reasons} />
}

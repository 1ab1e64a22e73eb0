import { type SubmitEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { ChoiceGroup } from '@/components/ui/choice-group'
import { Notice } from '@/components/ui/notice'
import { RelativeTime } from '@/components/ui/relative-time'
import { TextField } from '@/components/ui/text-field'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { AnnotatorDetail } from '@/lib/api/served'
import { useMe } from '@/lib/session/get-session'
import { t } from '@/messages/quality'
import { useDecideStatus } from '../api/annotators'
import { type Decision, decisionsOf } from '../state/quality-words'
import page from './quality-page.module.css'
import styles from './standing-form.module.css'

export interface DecidingProps {
  slug: string
  id: number
  mayCurate: boolean
  decidable: AnnotatorDetail['decidable']
}

/** What may be decided of the person by whoever looks; of themselves, heads decide nothing. */
export function Deciding({ slug, id, mayCurate, decidable }: DecidingProps) {
  const isMyself = useMe()?.id === id
  const choices = decisionsOf(mayCurate, decidable)
  return (
    <section aria-labelledby="deciding" className={page.section}>
      <h2 id="deciding" className={page.title}>
        {t.decideByHand}
      </h2>
      {choices.length > 0 ? (
        <DecisionForm slug={slug} id={id} choices={choices} />
      ) : (
        <p className={styles.muted}>{isMyself ? t.notOfYourself : t.onlyCurators}</p>
      )}
    </section>
  )
}

interface DecisionFormProps {
  slug: string
  id: number
  choices: ReturnType<typeof decisionsOf>
}

function DecisionForm({ slug, id, choices }: DecisionFormProps) {
  const [chosen, setState] = useState<Decision>('reviewed')
  // What was chosen may be offered no longer, once it is done or others have decided.
  const offered = choices.map(({ value }) => value)
  const state = [chosen, 'paused' as const].find((one) => offered.includes(one)) ?? offered[0] ?? chosen
  const [reason, setReason] = useState('')
  const { mutate, isPending, error } = useDecideStatus(slug, id)
  const failure = error && asApiError(error)
  const decide = (event: SubmitEvent) => {
    event.preventDefault()
    mutate(
      { state, reason: reason.trim() },
      {
        onSuccess: () => {
          setReason('')
          setState('reviewed')
          showToast(t.decided)
        },
      },
    )
  }
  return (
    <form className={styles.form} onSubmit={decide}>
      <ChoiceGroup label={t.whatHolds} choices={choices} value={state} onChange={setState} />
      <TextField
        label={t.why}
        hint={t.whyHint}
        maxLength={300}
        isRequired
        value={reason}
        onChange={setReason}
        error={failure?.fieldErrors().reason}
      />
      {failure && !failure.fieldErrors().reason && <Notice tone="bad">{failure.message}</Notice>}
      <Button type="submit" isPending={isPending} isDisabled={reason.trim() === ''}>
        {choices.find(({ value }) => value === state)?.label}
      </Button>
    </form>
  )
}

const decidedWords: Record<Decision, string> = {
  active: t.letsWork,
  paused: t.pausedThem,
  excluded: t.excludedThem,
  policy: t.leftToRules,
  reviewed: t.lookedAtThem,
}

export function DecisionHistory({ made }: { made: AnnotatorDetail['decisions'] }) {
  if (made.length === 0) return null
  return (
    <section aria-labelledby="decisions">
      <h3 id="decisions" className={styles.title}>
        {t.decidedSoFar}
      </h3>
      <ol className={styles.list}>
        {made.map((decision) => (
          <li key={decision.id}>
            <span>
              {decision.decided_by.display_name || decision.decided_by.username} {decidedWords[decision.state]}{' '}
              <span className={styles.muted}>
                <RelativeTime at={decision.created_at} />
              </span>
            </span>
            <p className={styles.muted}>{decision.reason}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}

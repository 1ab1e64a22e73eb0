import { type SubmitEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { ChoiceGroup } from '@/components/ui/choice-group'
import { Drawer } from '@/components/ui/dialog'
import { Facts } from '@/components/ui/facts'
import { LinkButton } from '@/components/ui/link-button'
import { Notes } from '@/components/ui/notes'
import { Notice } from '@/components/ui/notice'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { TextField } from '@/components/ui/text-field'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { AnnotatorDetail } from '@/lib/api/served'
import { formatCount, formatDecimal } from '@/lib/format/numbers'
import { say } from '@/lib/language/catalogue'
import { useMe } from '@/lib/session/get-session'
import { t } from '@/messages/quality'
import { useAnnotator, useDecideStatus } from '../api/annotators'
import { type Decision, decisionsOf } from '../state/quality-words'
import { ShareCell, StateBadges } from './annotator-cells'
import styles from './drawer.module.css'
import { FindingList } from './finding-list'

export interface AnnotatorDrawerProps {
  slug: string
  id: number
  mayCurate: boolean
  onClose: () => void
}

/** The evidence behind one person's figures, and the decision that people may make above the rules. */
export function AnnotatorDrawer({ slug, id, mayCurate, onClose }: AnnotatorDrawerProps) {
  const { data, error, isPending, refetch } = useAnnotator(slug, id)
  const user = data?.annotator.user
  return (
    <Drawer title={user ? user.display_name || user.username : t.annotator} isOpen onClose={onClose}>
      {isPending && <Skeleton label={t.theAnnotator} rows={4} />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && (
        <div className={styles.parts}>
          <AnnotatorFacts detail={data} />
          <LinkButton
            to="/projects/$slug/quality/annotators/$annotatorId"
            params={{ slug, annotatorId: String(id) }}
            size="small"
            className={styles.way}
          >
            {t.readJudged}
          </LinkButton>
          <section aria-labelledby="findings">
            <h3 id="findings" className={styles.title}>
              {t.rulesFind}
            </h3>
            <FindingList findings={data.findings} empty={t.nothingFound} />
          </section>
          <Deciding slug={slug} id={id} mayCurate={mayCurate} decidable={data.decidable} />
          <DecisionHistory made={data.decisions} />
        </div>
      )}
    </Drawer>
  )
}

function AnnotatorFacts({ detail: { annotator } }: { detail: AnnotatorDetail }) {
  return (
    <>
      <Facts
        facts={[
          { name: t.state, value: <StateBadges annotator={annotator} /> },
          { name: t.hits, value: formatCount(annotator.hits) },
          { name: t.controlsPassed, value: <ShareCell of={annotator.passed} /> },
          { name: t.withMost, value: <ShareCell of={annotator.agreement} /> },
          { name: t.secondsEach, value: annotator.seconds === null ? null : formatDecimal(annotator.seconds, 1) },
          { name: t.skipsLate, value: `${formatCount(annotator.skips)}, ${formatCount(annotator.late)}` },
          { name: t.lastSubmit, value: annotator.last_active_at && <RelativeTime at={annotator.last_active_at} /> },
        ]}
      />
      <Notes notes={annotator.reasons.map(say)} label={t.personReads} />
    </>
  )
}

interface DecidingProps extends Omit<AnnotatorDrawerProps, 'onClose'> {
  decidable: AnnotatorDetail['decidable']
}

/** What may be decided of the person by whoever looks; of themselves, heads decide nothing. */
function Deciding({ slug, id, mayCurate, decidable }: DecidingProps) {
  const isMyself = useMe()?.id === id
  const choices = decisionsOf(mayCurate, decidable)
  return (
    <section aria-labelledby="deciding" className={styles.deciding}>
      <h3 id="deciding" className={styles.title}>
        {t.decideByHand}
      </h3>
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
        {t.decide}
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

function DecisionHistory({ made }: { made: AnnotatorDetail['decisions'] }) {
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

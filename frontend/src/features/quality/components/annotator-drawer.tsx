import { type SubmitEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { ChoiceGroup } from '@/components/ui/choice-group'
import { Drawer } from '@/components/ui/dialog'
import { Facts } from '@/components/ui/facts'
import { Notes } from '@/components/ui/notes'
import { Notice } from '@/components/ui/notice'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { TextField } from '@/components/ui/text-field'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { AnnotatorDetail } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { useAnnotator, useDecideStanding } from '../api/annotators'
import { type Decision, decisions } from '../state/quality-words'
import { ShareCell, StateBadges } from './annotators-tab'
import { FindingList } from './finding-list'
import styles from './drawer.module.css'

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
    <Drawer title={user ? user.display_name || user.username : 'Annotator'} isOpen onClose={onClose}>
      {isPending && <Skeleton label="the annotator" rows={4} />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && (
        <div className={styles.parts}>
          <AnnotatorFacts detail={data} />
          <section aria-labelledby="findings">
            <h3 id="findings" className={styles.title}>
              What the rules find
            </h3>
            <FindingList
              findings={data.findings}
              empty="The policy in force finds nothing, or none has been applied."
            />
          </section>
          <DecisionForm slug={slug} id={id} mayCurate={mayCurate} />
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
          { name: 'State', value: <StateBadges annotator={annotator} /> },
          { name: 'HITs', value: formatCount(annotator.hits) },
          { name: 'Controls passed', value: <ShareCell of={annotator.passed} /> },
          { name: 'With most others', value: <ShareCell of={annotator.agreement} /> },
          { name: 'Seconds each', value: annotator.seconds?.toFixed(1) },
          { name: 'Skips, late', value: `${formatCount(annotator.skips)}, ${formatCount(annotator.late)}` },
          { name: 'Last submit', value: annotator.last_active_at && <RelativeTime at={annotator.last_active_at} /> },
        ]}
      />
      <Notes notes={annotator.reasons} label="What the person reads" />
    </>
  )
}

function DecisionForm({ slug, id, mayCurate }: Omit<AnnotatorDrawerProps, 'onClose'>) {
  const [state, setState] = useState<Decision>('paused')
  const [reason, setReason] = useState('')
  const { mutate, isPending, error } = useDecideStanding(slug, id)
  const failure = error && asApiError(error)
  const decide = (event: SubmitEvent) => {
    event.preventDefault()
    mutate(
      { state, reason: reason.trim() },
      {
        onSuccess: () => {
          setReason('')
          showToast('Decided. It holds until somebody decides otherwise.')
        },
      },
    )
  }
  return (
    <form className={styles.form} onSubmit={decide}>
      <h3 className={styles.title}>Decide by hand</h3>
      <ChoiceGroup
        label="What shall hold"
        choices={mayCurate ? decisions : decisions.filter(({ value }) => value !== 'excluded')}
        value={state}
        onChange={setState}
      />
      <TextField
        label="Why"
        hint="One sentence, which the person reads."
        maxLength={300}
        isRequired
        value={reason}
        onChange={setReason}
        error={failure?.fieldErrors().reason}
      />
      {failure && !failure.fieldErrors().reason && <Notice tone="bad">{failure.message}</Notice>}
      <Button type="submit" isPending={isPending} isDisabled={reason.trim() === ''}>
        Decide
      </Button>
    </form>
  )
}

const decidedWords: Record<Decision, string> = {
  active: 'lets them work',
  paused: 'paused them',
  excluded: 'excluded them',
  policy: 'left it to the rules',
}

function DecisionHistory({ made }: { made: AnnotatorDetail['decisions'] }) {
  if (made.length === 0) return null
  return (
    <section aria-labelledby="decisions">
      <h3 id="decisions" className={styles.title}>
        Decided so far
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

import { type ReactNode, type SubmitEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/review'
import { useChangeSettings, useReviewSettings } from '../api/review-settings'
import type { ReviewSettings } from '../api/shapes'
import styles from './panels.module.css'

/** Which cases come into the queue, as sentences with their numbers inside. */
export function RulesView({ slug }: { slug: string }) {
  const { data, error, isPending, refetch } = useReviewSettings(slug)
  if (isPending) return <Skeleton label={t.rules} rows={6} />
  if (error) return <ErrorState error={error} title={t.rulesNotShown} onRetry={() => void refetch()} />
  return <RulesForm key={JSON.stringify(data)} slug={slug} saved={data} />
}

type Switch = {
  [Name in keyof ReviewSettings]: ReviewSettings[Name] extends boolean ? Name : never
}[keyof ReviewSettings]
type Figure = Exclude<keyof ReviewSettings, Switch>

const switches: readonly { name: Switch; words: string }[] = [
  { name: 'ties', words: t.ruleTies },
  { name: 'low_agreement', words: t.ruleLow },
  { name: 'failed_controls', words: t.ruleControls },
  { name: 'comments', words: t.ruleComments },
  { name: 'edits', words: t.ruleEdits },
  { name: 'generic', words: t.ruleGeneric },
  { name: 'policy_requests', words: t.ruleRules },
  { name: 'replies', words: t.ruleReplies },
]

const limits: Readonly<Record<Figure, number>> = {
  first_assignments: 50,
  sample_percent: 100,
  second_look_percent: 100,
  gate_after: 50,
}

function RulesForm({ slug, saved }: { slug: string; saved: ReviewSettings }) {
  const [rules, setRules] = useState(saved)
  const change = useChangeSettings(slug)
  const figure = (name: Figure, label: string) => (
    <input
      key={name}
      className={styles.inline}
      type="number"
      required
      min={0}
      max={limits[name]}
      aria-label={label}
      value={Number.isNaN(rules[name]) ? '' : rules[name]}
      onChange={(event) => setRules({ ...rules, [name]: event.target.valueAsNumber })}
    />
  )
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    change.mutate(rules, { onSuccess: () => showToast(t.rulesSaved) })
  }
  return (
    <form className={styles.view} onSubmit={save} aria-label={t.rulesTitle}>
      <div>
        <h2 className={styles.title}>{t.rulesTitle}</h2>
        <p className={styles.lead}>{t.rulesLead}</p>
      </div>
      <ul className={styles.rules}>
        <Rule>
          <Sentence of={t.ruleFirst} parts={{ n: figure('first_assignments', t.ruleFirstNumber) }} />
        </Rule>
        <Rule>
          <Sentence of={t.ruleSample} parts={{ n: figure('sample_percent', t.ruleSampleNumber) }} />
        </Rule>
        {switches.map(({ name, words }) => (
          <li key={name} className={styles.rule}>
            <label>
              <input
                type="checkbox"
                checked={rules[name]}
                onChange={(event) => setRules({ ...rules, [name]: event.target.checked })}
              />
              {words}
            </label>
          </li>
        ))}
        <Rule>
          <Sentence of={t.ruleSecond} parts={{ n: figure('second_look_percent', t.ruleSecondNumber) }} />
        </Rule>
        <Rule>
          <Sentence of={t.ruleGate} parts={{ n: figure('gate_after', t.ruleGateNumber) }} />
        </Rule>
      </ul>
      {change.error && <Notice tone="bad">{asApiError(change.error).message}</Notice>}
      <div>
        <Button
          type="submit"
          variant="primary"
          isPending={change.isPending}
          isDisabled={JSON.stringify(rules) === JSON.stringify(saved)}
        >
          {t.saveRules}
        </Button>
      </div>
    </form>
  )
}

const Rule = ({ children }: { children: ReactNode }) => <li className={styles.rule}>{children}</li>

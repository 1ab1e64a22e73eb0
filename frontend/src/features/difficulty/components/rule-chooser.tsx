import { useState } from 'react'
import { type SortedColumn, SortedTable } from '@/components/sorted-table/sorted-table'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { DifficultyPolicy, DifficultySummary } from '@/lib/api/served'
import { formatCount, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/difficulty'
import { useChangePolicy } from '../api/get-difficulty'
import { categoryColours, categoryWords, cutsInWords, ruleInUse, ruleName } from '../state/categories'
import styles from './difficulty-page.module.css'

const shown = ['hard', 'medium', 'easy', 'unrated'] as const

/** Unrated captions have a column where there are any. */
const shownOf = ({ policies }: DifficultySummary) =>
  shown.filter((category) => category !== 'unrated' || policies.some(({ counts }) => counts.unrated > 0))

export interface RuleChooserProps {
  slug: string
  summary: DifficultySummary
  mayChange: boolean
}

/** What every rule makes of the stored votes, beside each other; one button takes another one. */
export function RuleChooser({ slug, summary, mayChange }: RuleChooserProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const { mutate, isPending, error } = useChangePolicy(slug)
  const used = ruleInUse(summary)?.policy ?? null
  const value = chosen ?? used
  const apply = () => {
    if (!value) return
    mutate(value, {
      onSuccess: ({ counts }) => showToast(t.applied({ n: Object.values(counts).reduce((sum, n) => sum + n, 0) })),
    })
  }
  return (
    <section className={styles.section} aria-labelledby="rules">
      <h2 id="rules" className={styles.title}>
        {t.rules}
      </h2>
      <p className={styles.note}>{mayChange ? t.rulesLead : t.onlyCurators}</p>
      {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
      <SortedTable<DifficultyPolicy>
        label={t.rules}
        csvName="rules.csv"
        rows={summary.policies}
        rowId={({ policy }) => policy}
        columns={[
          {
            id: 'rule',
            title: t.rule,
            value: ({ policy }) => ruleName(policy),
            cell: (policy) => (
              <RuleChoice
                policy={policy}
                isChosen={policy.policy === value}
                isDisabled={!policy.is_possible || !mayChange}
                onChoose={() => setChosen(policy.policy)}
              />
            ),
          },
          {
            id: 'split',
            title: t.split,
            onPhone: 'under',
            cell: (policy) => policy.is_possible && <Split policy={policy} />,
          },
          { id: 'votes', title: t.yesVotes, isNumber: true, onPhone: 'under', cell: cutsInWords },
          ...shownOf(summary).map((category): SortedColumn<DifficultyPolicy> => ({
            id: category,
            title: categoryWords[category],
            isNumber: true,
            onPhone: 'under',
            value: ({ is_possible: isPossible, counts }) => (isPossible ? counts[category] : null),
            cell: (policy) => (policy.is_possible ? countOf(policy, category) : '–'),
          })),
        ]}
      />
      {mayChange && (
        <div>
          <Button
            variant="primary"
            isPending={isPending}
            isDisabled={value === used && !summary.is_mixed}
            onPress={apply}
          >
            {t.apply}
          </Button>
        </div>
      )}
    </section>
  )
}

/** The captions of one rule as a bar; the figures beside it say the same. */
function Split({ policy: { counts } }: { policy: DifficultyPolicy }) {
  return (
    <span className={styles.split} aria-hidden="true">
      {shown.map(
        (category) =>
          counts[category] > 0 && (
            <span key={category} style={{ flexGrow: counts[category], background: categoryColours[category] }} />
          ),
      )}
    </span>
  )
}

interface RuleChoiceProps {
  policy: DifficultyPolicy
  isChosen: boolean
  isDisabled: boolean
  onChoose: () => void
}

function RuleChoice({ policy, isChosen, isDisabled, onChoose }: RuleChoiceProps) {
  return (
    <label className={styles.choice}>
      <input
        type="radio"
        name="rule"
        value={policy.policy}
        checked={isChosen}
        disabled={isDisabled}
        onChange={onChoose}
      />
      <span>
        {ruleName(policy.policy)}
        {policy.is_used && <small className={styles.used}> {t.usedNow}</small>}
        {!policy.is_possible && <small className={styles.used}> {t.tooSmall({ n: policy.least_models })}</small>}
      </span>
    </label>
  )
}

function countOf({ counts }: DifficultyPolicy, category: (typeof shown)[number]) {
  const all = counts.hard + counts.medium + counts.easy + counts.unrated
  return (
    <>
      {formatCount(counts[category])}{' '}
      <small className={styles.used}>{formatShare(all && counts[category] / all)}</small>
    </>
  )
}

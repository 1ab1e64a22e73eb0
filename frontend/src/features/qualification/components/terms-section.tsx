import { type SubmitEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { CheckField } from '@/components/ui/check-field'
import { Notice } from '@/components/ui/notice'
import { NumberField } from '@/components/ui/number-field'
import { SaveBar, SaveFailure } from '@/components/ui/save-bar'
import { SettingsSection } from '@/components/ui/settings-section'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { Qualification } from '@/lib/api/served'
import { t } from '@/messages/qualification'
import { useSetTerms, useTerms } from '../api/terms'
import { warningsInWords } from '../state/quiz-words'
import styles from './terms-section.module.css'

const note = t.termsNote

/** The terms under which newcomers begin, with a form of their own: they are kept apart from the project’s version. */
export function TermsSection({ slug }: { slug: string }) {
  const { data, error, isPending, refetch } = useTerms(slug)
  return (
    <SettingsSection title={t.qualification} note={note}>
      {isPending && <Skeleton label={t.theTerms} rows={2} />}
      {error && <ErrorState error={error} title={t.termsNotShown} onRetry={() => void refetch()} />}
      {data && <TermsForm key={data.version} slug={slug} terms={data} onReload={() => void refetch()} />}
    </SettingsSection>
  )
}

interface TermsFormProps {
  slug: string
  terms: Qualification
  onReload: () => void
}

function TermsForm({ slug, terms, onReload }: TermsFormProps) {
  const [draft, setDraft] = useState(terms)
  const [passesAnew, setPassesAnew] = useState(false)
  const { mutate, isPending, error, reset } = useSetTerms(slug)
  const failure = error && asApiError(error)
  const fields = failure?.fieldErrors() ?? {}
  const set = (change: Partial<Qualification>) => setDraft({ ...draft, ...change })
  const number = (name: NumberTerm) => ({
    value: draft[name],
    onChange: (value: number) => set({ [name]: Number.isNaN(value) ? terms[name] : value }),
    error: fields[name],
  })
  const isChanged = passesAnew || JSON.stringify(draft) !== JSON.stringify(terms)
  const discard = () => {
    setDraft(terms)
    setPassesAnew(false)
    reset()
  }
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isChanged) return
    mutate({ ...draft, passes_anew: passesAnew }, { onSuccess: () => showToast(t.termsSaved) })
  }
  return (
    <form className={styles.form} onSubmit={save}>
      {warningsInWords(terms).map((warning) => (
        <Notice key={warning} tone="warning">
          {warning}
        </Notice>
      ))}
      <CheckField
        label={t.mustRead}
        hint={t.readAgain}
        isSelected={draft.asks_guidelines}
        onChange={(asks_guidelines) => set({ asks_guidelines })}
      />
      <div className={styles.numbers}>
        <NumberField
          label={t.quizQuestions}
          hint={t.zeroNoQuiz({ nQuizControls: terms.n_quiz_controls })}
          minValue={0}
          maxValue={50}
          {...number('n_questions')}
        />
        <NumberField
          label={t.rightNeeded}
          minValue={0}
          maxValue={100}
          value={Math.round(draft.pass_mark * 100)}
          onChange={(value) => set({ pass_mark: Number.isNaN(value) ? terms.pass_mark : value / 100 })}
          error={fields.pass_mark}
        />
        <NumberField
          label={t.attempts}
          hint={t.attemptsHint}
          minValue={1}
          maxValue={1000}
          {...number('max_attempts')}
        />
        <NumberField
          label={t.minutesUntil}
          hint={t.tryAtOnce}
          minValue={0}
          maxValue={525_600}
          {...number('retry_after_minutes')}
        />
        <NumberField
          label={t.daysHolds}
          hint={t.forGood}
          minValue={1}
          maxValue={3650}
          value={draft.valid_days ?? NaN}
          onChange={(value) => set({ valid_days: Number.isNaN(value) ? null : value })}
          error={fields.valid_days}
        />
      </div>
      <CheckField label={t.everybodyAgain} hint={t.passesVoid} isSelected={passesAnew} onChange={setPassesAnew} />
      <SaveBar
        verb={t.saveTerms}
        isChanged={isChanged}
        isPending={isPending}
        onDiscard={discard}
        failure={
          failure && (
            <SaveFailure failure={failure}>
              {failure.code === 'stale' && (
                <Button size="small" onPress={onReload}>
                  {t.takeStands}
                </Button>
              )}
            </SaveFailure>
          )
        }
      >
        {passesAnew ? t.passesVoid : t.termsFromNow}
      </SaveBar>
    </form>
  )
}

type NumberTerm = 'n_questions' | 'max_attempts' | 'retry_after_minutes'

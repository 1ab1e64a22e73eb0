import { type SyntheticEvent, useState } from 'react'
import { Form } from 'react-aria-components'
import { Button } from '@/components/ui/button'
import { CheckField } from '@/components/ui/check-field'
import { Notice } from '@/components/ui/notice'
import { NumberField } from '@/components/ui/number-field'
import { Select } from '@/components/ui/select'
import { SettingsSection } from '@/components/ui/settings-section'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import type { SurveyModel } from '@/lib/api/served'
import { t } from '@/messages/surveys'
import type { SurveyFields } from '../state/survey-fields'
import styles from './surveys.module.css'

export interface SurveyFormProps {
  first: SurveyFields
  models: readonly SurveyModel[]
  /** An open survey changes its limits and rules alone. */
  isOnlyRules?: boolean
  verb: string
  isPending: boolean
  error: unknown
  onSave: (fields: SurveyFields) => void
}

type Set = <Name extends keyof SurveyFields>(name: Name) => (value: SurveyFields[Name]) => void

/** What a survey asks, of how many people, and whose answers count. */
export function SurveyForm({ first, models, isOnlyRules = false, verb, isPending, error, onSave }: SurveyFormProps) {
  const [fields, setFields] = useState(first)
  const set: Set = (name) => (value) => setFields((before) => ({ ...before, [name]: value }))
  const said = error ? asApiError(error).fieldErrors() : {}
  const save = (event: SyntheticEvent) => {
    event.preventDefault()
    onSave(fields)
  }
  return (
    <Form className={styles.form} onSubmit={save}>
      {!isOnlyRules && <Words fields={fields} set={set} said={said} />}
      {!isOnlyRules && <Pairs fields={fields} set={set} said={said} models={models} />}
      <Limits fields={fields} set={set} said={said} />
      <Rules fields={fields} set={set} said={said} />
      {error != null && <Notice tone="bad">{asApiError(error).message}</Notice>}
      <div>
        <Button type="submit" variant="primary" isPending={isPending}>
          {verb}
        </Button>
      </div>
    </Form>
  )
}

interface PartProps {
  fields: SurveyFields
  set: Set
  said: Record<string, string>
}

function Words({ fields, set, said }: PartProps) {
  return (
    <SettingsSection title={t.words} note={t.wordsNote}>
      <TextField
        label={t.title}
        isRequired
        maxLength={120}
        value={fields.title}
        onChange={set('title')}
        error={said.title}
      />
      <TextField
        label={t.runBy}
        hint={t.runByHint}
        isRequired
        maxLength={200}
        value={fields.run_by}
        onChange={set('run_by')}
        error={said.run_by}
      />
      <TextField
        label={t.consent}
        hint={t.consentHint}
        isRequired
        rows={8}
        maxLength={20_000}
        value={fields.consent}
        onChange={set('consent')}
        error={said.consent}
      />
    </SettingsSection>
  )
}

const isNumber = (value: number): boolean => !Number.isNaN(value)

function Pairs({ fields, set, said, models }: PartProps & { models: readonly SurveyModel[] }) {
  const names = [...new Set(models.map(({ name }) => name))]
  const hardOf = (name: string) => Math.max(...models.filter((each) => each.name === name).map(({ n_hard }) => n_hard))
  return (
    <SettingsSection title={t.pairs} note={t.pairsNote}>
      <Select
        label={t.model}
        choices={names.map((name) => ({ value: name, label: name, detail: t.hardOf({ n: hardOf(name) }) }))}
        value={fields.model || (names[0] ?? null)}
        onChange={set('model')}
        hint={t.modelHint}
        error={said.model}
      />
      <NumberField
        label={t.nPairs}
        minValue={1}
        maxValue={1000}
        value={fields.n_pairs}
        onChange={(value) => isNumber(value) && set('n_pairs')(value)}
        error={said.n_pairs}
      />
      <NumberField
        label={t.pairsEach}
        minValue={1}
        maxValue={200}
        value={fields.pairs_each}
        onChange={(value) => isNumber(value) && set('pairs_each')(value)}
        error={said.pairs_each}
      />
      <NumberField
        label={t.distractorsEach}
        hint={t.distractorsHint}
        minValue={0}
        maxValue={50}
        value={fields.distractors_each}
        onChange={(value) => isNumber(value) && set('distractors_each')(value)}
        error={said.distractors_each}
      />
      <Select
        label={t.distractorsFrom}
        choices={[
          { value: 'other_images', label: t.otherImages, detail: t.otherImagesDetail },
          { value: 'rejected', label: t.rejectedCaptions, detail: t.rejectedDetail },
        ]}
        value={fields.distractors_from}
        onChange={set('distractors_from')}
      />
    </SettingsSection>
  )
}

function Limits({ fields, set, said }: PartProps) {
  return (
    <SettingsSection title={t.limits} note={t.limitsNote}>
      <NumberField
        label={t.mostParticipants}
        hint={t.mostHint}
        minValue={1}
        maxValue={10_000}
        value={fields.most ?? Number.NaN}
        onChange={(value) => set('most')(isNumber(value) ? value : null)}
        error={said.max_participants}
      />
      <TextField
        label={t.closingDate}
        hint={t.closingHint}
        type="datetime-local"
        value={fields.closes}
        onChange={set('closes')}
        error={said.closes_at}
      />
      <CheckField label={t.oneLink} hint={t.oneLinkHint} isSelected={fields.has_link} onChange={set('has_link')} />
    </SettingsSection>
  )
}

function Rules({ fields, set, said }: PartProps) {
  return (
    <SettingsSection title={t.rules} note={t.rulesNote}>
      <NumberField
        label={t.failPercent}
        hint={t.failHint}
        minValue={1}
        maxValue={100}
        value={fields.failPercent}
        onChange={(value) => isNumber(value) && set('failPercent')(value)}
        error={said.fail_rate}
      />
      <NumberField
        label={t.minGraded}
        minValue={1}
        maxValue={50}
        value={fields.min_graded}
        onChange={(value) => isNumber(value) && set('min_graded')(value)}
        error={said.min_graded}
      />
      <CheckField
        label={t.countsUnfinished}
        hint={t.countsUnfinishedHint}
        isSelected={fields.counts_unfinished}
        onChange={set('counts_unfinished')}
      />
    </SettingsSection>
  )
}

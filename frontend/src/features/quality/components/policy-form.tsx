import { type SubmitEvent, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Notes } from '@/components/ui/notes'
import { Notice } from '@/components/ui/notice'
import { Select } from '@/components/ui/select'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import type { Policy, PolicyDefaults, PolicyRule } from '@/lib/api/served'
import { useKeptFocus } from '@/lib/layout/use-kept-focus'
import { t } from '@/messages/quality'
import { useCreatePolicy } from '../api/policies'
import { faultInWords } from '../state/fault-words'
import { collectorName, freshRule } from '../state/rules'
import styles from './policy-tab.module.css'
import { RuleFields } from './rule-fields'

export interface PolicyFormProps {
  slug: string
  defaults: PolicyDefaults
  /** The version it begins as a copy of; the server's defaults without one. */
  from: Policy | undefined
  onSaved: (policy: Policy) => void
  onClose: () => void
}

interface Row {
  key: number
  rule: PolicyRule
}

let lastKey = 0
const rowOf = (rule: PolicyRule): Row => ({ key: ++lastKey, rule })

/** The rules of the next version. Saving changes nothing yet: what it would do is looked at first. */
export function PolicyForm({ slug, defaults, from, onSaved, onClose }: PolicyFormProps) {
  const [rows, setRows] = useState(() => (from?.rules ?? defaults.rules).map(rowOf))
  const [note, setNote] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const keepsFocus = useKeptFocus(list)
  const { mutate, isPending, error } = useCreatePolicy(slug)
  const change = (key: number, rule: PolicyRule) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, rule } : row)))
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    mutate({ rules: rows.map(({ rule }) => rule), note: note.trim() }, { onSuccess: onSaved })
  }
  return (
    <form className={styles.form} onSubmit={save} aria-label={t.newVersion}>
      <h2 className={styles.title} tabIndex={-1} data-step="">
        {t.aNewVersion}
      </h2>
      <p className={styles.muted}>{t.hardestHolds}</p>
      <ol ref={list} className={styles.ruleRows} {...keepsFocus}>
        {rows.map(({ key, rule }, place) => (
          <li key={key}>
            <RuleFields
              slug={slug}
              number={place + 1}
              rule={rule}
              collectors={defaults.collectors}
              onChange={(changed) => change(key, changed)}
              onRemove={() => setRows(rows.filter((row) => row.key !== key))}
            />
          </li>
        ))}
      </ol>
      {rows.length === 0 && <p className={styles.muted}>{t.noRules}</p>}
      <div className={styles.add}>
        <Select
          label={t.addRule}
          choices={defaults.collectors.map(({ name }) => ({ value: name, label: collectorName(name) }))}
          value={null}
          onChange={(name) => {
            const collector = defaults.collectors.find((each) => each.name === name)
            if (collector) setRows([...rows, rowOf(freshRule(collector))])
          }}
        />
      </div>
      <TextField label={t.whyVersion} hint={t.whyVersionHint} maxLength={300} value={note} onChange={setNote} />
      {error && <Faults error={error} />}
      <div className={styles.ways}>
        <Button type="submit" variant="primary" isPending={isPending}>
          {t.saveVersion}
        </Button>
        <Button onPress={onClose}>{t.leaveIt}</Button>
      </div>
    </form>
  )
}

/** The server names each fault by its rule and field. */
function Faults({ error }: { error: unknown }) {
  const failure = asApiError(error)
  const faults = Object.values(failure.fields).flat()
  return (
    <Notice tone="bad">
      {faults.length > 0 ? t.faultsFound : failure.message}
      <Notes notes={faults.map(faultInWords)} />
    </Notice>
  )
}

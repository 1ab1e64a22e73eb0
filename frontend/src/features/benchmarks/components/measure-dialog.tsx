import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Disclosure } from '@/components/ui/disclosure'
import { NotNow } from '@/components/ui/not-now'
import { Notice } from '@/components/ui/notice'
import { NumberField } from '@/components/ui/number-field'
import { Select } from '@/components/ui/select'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import { t } from '@/messages/benchmarks'
import { useMeasure } from '../api/get-benchmarks'
import { taskNames } from '../state/metrics'
import styles from './benchmarks.module.css'

export interface OnReleaseProps {
  slug: string
  releaseId: string
  onClose: () => void
}

const tasks = ['retrieval', 'relevance', 'auprc'] as const
const rules = ['unanimous', 'majority', 'at_least_half'] as const
const ruleNames = { unanimous: t.ruleAll, majority: t.ruleMost, at_least_half: t.ruleHalf } as const

/** Asks for the models, then starts the stage that measures them. */
export function MeasureDialog({ slug, releaseId, onClose }: OnReleaseProps) {
  const { mutate, isPending, error } = useMeasure(slug)
  const [task, setTask] = useState<(typeof tasks)[number]>('retrieval')
  const [rule, setRule] = useState<(typeof rules)[number]>('unanimous')
  const [models, setModels] = useState('')
  const [numbers, setNumbers] = useState({ limit: 0, seed: 0 })
  const start = () => mutate({ release: releaseId, task, rule, models: models.trim(), ...numbers }, { onSuccess: onClose })
  const number = (name: keyof typeof numbers, label: string, hint: string) => (
    <NumberField
      label={label}
      hint={hint}
      minValue={0}
      value={numbers[name]}
      onChange={(value) => setNumbers((old) => ({ ...old, [name]: Number.isFinite(value) ? value : 0 }))}
    />
  )
  const footer = (
    <>
      <NotNow onPress={onClose} />
      <Button variant="primary" icon="play" isPending={isPending} onPress={start}>
        {t.measure}
      </Button>
    </>
  )
  return (
    <Dialog title={t.measure} isOpen onClose={onClose} footer={footer}>
      <div className={styles.form}>
        {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
        <p>{t.measureLead}</p>
        <TextField label={t.models} hint={t.modelsHint} value={models} onChange={setModels} />
        <Select
          label={t.task}
          choices={tasks.map((value) => ({ value, label: taskNames[value] ?? value }))}
          value={task}
          onChange={setTask}
        />
        {task === 'relevance' && (
          <Select
            label={t.rule}
            choices={rules.map((value) => ({ value, label: ruleNames[value] }))}
            value={rule}
            onChange={setRule}
          />
        )}
        <Disclosure summary={t.advanced}>
          <div className={styles.form}>
            {number('limit', t.limit, t.limitHint)}
            {number('seed', t.seed, t.seedHint)}
          </div>
        </Disclosure>
      </div>
    </Dialog>
  )
}

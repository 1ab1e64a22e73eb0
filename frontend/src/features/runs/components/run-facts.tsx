import { Digest } from '@/components/ui/digest'
import { type Fact, Facts } from '@/components/ui/facts'
import type { Run, Stage, StageParameter } from '@/lib/api/served'
import { tookBetween } from '@/lib/format/duration'
import { formatDecimal } from '@/lib/format/numbers'
import { absoluteTime } from '@/lib/format/time'
import { t } from '@/messages/runs'
import { choiceTitle, digitsOf, fieldLabel, parameterTitle } from '../state/parameter-values'
import styles from './run-page.module.css'

const asText = (value: unknown): string => (typeof value === 'string' ? nameIn(value) : JSON.stringify(value))

/** Of a folder or file of the server its name: where it lies is nothing that the page has to tell. */
const nameIn = (text: string): string =>
  text.startsWith('/') ? (text.split('/').filter(Boolean).at(-1) ?? text) : text

function shownValue(parameter: StageParameter, value: unknown): string {
  if (typeof value !== 'number') return typeof value === 'string' ? choiceTitle(nameIn(value)) : asText(value)
  return formatDecimal(value / parameter.scale, digitsOf(parameter))
}

const asTime = (at: string | null) => at && <time dateTime={at}>{absoluteTime(new Date(at))}</time>

/** What the run was asked to do, in the words of the form that starts its stage. */
export function RunParameters({ run, stage }: { run: Run; stage: Stage | undefined }) {
  const known = new Map(stage?.parameters.map((parameter) => [parameter.name, parameter]))
  const parameters: Fact[] = Object.entries(run.parameters).map(([name, value]) => {
    const parameter = known.get(name)
    return {
      name: parameter ? fieldLabel({ ...parameter, out_of: null }) : parameterTitle(name),
      value: parameter ? shownValue(parameter, value) : asText(value),
    }
  })
  return (
    <section>
      <h2 className={styles.title}>{t.parameters}</h2>
      <Facts facts={[...parameters, { name: t.seed, value: run.seed }]} />
    </section>
  )
}

/** When it ran, and everything else that is needed to trace it or to repeat it. */
export function RunFacts({ run }: { run: Run }) {
  const models: Fact[] = Object.entries(run.models).map(([name, digest]) => ({
    name,
    value: <Digest value={digest} what={t.digestOf({ name })} />,
  }))
  return (
    <section>
      <h2 className={styles.title}>{t.howItRan}</h2>
      <Facts
        facts={[
          { name: t.startedBy, value: run.started_by },
          { name: t.queuedAt, value: asTime(run.created_at) },
          { name: t.startedAt, value: asTime(run.started_at) },
          { name: t.finishedAt, value: asTime(run.finished_at) },
          { name: t.duration, value: tookBetween(run.started_at, run.finished_at) },
          { name: t.attempt, value: run.attempt > 1 ? run.attempt : null },
          ...models,
          { name: t.code, value: run.code_version },
        ]}
      />
    </section>
  )
}

import { Digest } from '@/components/ui/digest'
import { type Fact, Facts } from '@/components/ui/facts'
import type { Run } from '@/lib/api/served'
import { t } from '@/messages/runs'
import { parameterTitle } from '../state/parameter-values'

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Everything needed to trace the run or to repeat it. */
export function RunFacts({ run }: { run: Run }) {
  const parameters: Fact[] = Object.entries(run.parameters).map(([name, value]) => ({
    name: parameterTitle(name),
    value: asText(value),
  }))
  const models: Fact[] = Object.entries(run.models).map(([name, digest]) => ({
    name,
    value: <Digest value={digest} what={t.digestOf({ name })} />,
  }))
  return (
    <section aria-label={t.howItRan}>
      <Facts
        facts={[
          ...parameters,
          { name: t.seed, value: run.seed },
          ...models,
          { name: t.code, value: run.code_version },
          { name: t.attempt, value: run.attempt > 1 ? run.attempt : null },
        ]}
      />
    </section>
  )
}

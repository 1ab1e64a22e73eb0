import { Notice } from '@/components/ui/notice'
import type { Stage } from '@/lib/api/served'
import { t } from '@/messages/runs'
import type { StartRun } from '../api/start-run'
import type { ParameterValues } from '../state/parameter-values'

export interface StageDialogProps {
  slug: string
  stage: Stage
  /** What the form starts with, where whoever opened it knows. */
  asked?: ParameterValues
  onClose: () => void
}

/** The schema lists the stages that can be started; the walk names every stage as text. */
export const startOf = (stage: Stage, parameters: ParameterValues, seed: number): StartRun => ({
  stage: stage.name as StartRun['stage'],
  parameters,
  seed,
})

/** Why the stage cannot start just now; what is typed stays until it can. */
export function WhyNot({ stage: { label, state, startable, why_not } }: { stage: Stage }) {
  if (startable) return null
  const reason = state === 'running' ? t.isRunning({ label }) : why_not
  return <Notice>{reason || t.cannotStart({ label })}</Notice>
}

import { LinkButton } from '@/components/ui/link-button'
import type { Run, Walk } from '@/lib/api/served'
import { t } from '@/messages/runs'
import { isComplete, nextStep } from '../state/next-step'
import { resultOf } from '../state/results'

export interface RunLinkProps {
  slug: string
  run: Run
}

/** The page that shows what the run made. */
export function ResultLink({ slug, run }: RunLinkProps) {
  const result = resultOf(run.stage)
  if (!result || run.status !== 'succeeded') return null
  return (
    <LinkButton to={result.to} params={{ slug }} search={result.search ?? {}}>
      {t.seeResult({ page: result.page })}
    </LinkButton>
  )
}

/** The next sensible stage after a run that ended well: the pipeline opens its form. */
export function NextLink({ slug, run, walk }: RunLinkProps & { walk: Walk }) {
  if (run.status !== 'succeeded') return null
  const step = nextStep(walk)
  if (step?.why === 'people') {
    return (
      <LinkButton variant="primary" to="/projects/$slug/people" params={{ slug }}>
        {t.nextIs({ label: t.inviteAnnotators })}
      </LinkButton>
    )
  }
  if (step) {
    return (
      <LinkButton variant="primary" to="/projects/$slug/walk" params={{ slug }} search={{ start: step.stage.name }}>
        {t.nextIs({ label: step.stage.label })}
      </LinkButton>
    )
  }
  if (!isComplete(walk) || run.stage === 'release') return null
  return (
    <LinkButton variant="primary" to="/projects/$slug/releases" params={{ slug }}>
      {t.nextIs({ label: t.seeReleases })}
    </LinkButton>
  )
}

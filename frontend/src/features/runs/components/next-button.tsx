import { Button } from '@/components/ui/button'
import { KeyCap } from '@/components/ui/key-cap'
import { LinkButton } from '@/components/ui/link-button'
import { useAction } from '@/lib/actions/action-context'
import { ariaShortcuts } from '@/lib/actions/keys'
import type { Walk } from '@/lib/api/served'
import { t } from '@/messages/runs'
import { isComplete, type NextStep, type Why } from '../state/next-step'

const verbs: Record<Exclude<Why, 'people'>, string> = { first: t.startPlain, failed: t.tryAgain, stale: t.runAgain }

export interface NextButtonProps {
  slug: string
  walk: Walk
  step: NextStep | null
  onStart: (stage: string) => void
}

/** The one primary button of the pipeline: what is sensible to do now. None while a stage runs. */
export function NextButton({ slug, walk, step, onStart }: NextButtonProps) {
  const keys = useAction('walk.next')?.keys ?? []
  if (step?.why === 'people') {
    return (
      <LinkButton
        variant="primary"
        to="/projects/$slug/people"
        params={{ slug }}
        aria-keyshortcuts={ariaShortcuts(keys)}
      >
        {t.inviteAnnotators}
        {keys[0] && <KeyCap keyName={keys[0]} />}
      </LinkButton>
    )
  }
  if (step) {
    return (
      <Button
        variant="primary"
        icon="play"
        onPress={() => onStart(step.stage.name)}
        keyShortcuts={ariaShortcuts(keys)}
        shortcut={keys[0]}
      >
        {`${verbs[step.why]}: ${step.stage.label}`}
      </Button>
    )
  }
  if (!isComplete(walk)) return null
  return (
    <LinkButton to="/projects/$slug/releases" params={{ slug }} variant="primary">
      {t.seeReleases}
    </LinkButton>
  )
}

import { useState } from 'react'
import { LinkButton } from '@/components/ui/link-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import type { Project } from '@/lib/api/contract'
import type { Stage, Walk } from '@/lib/api/served'
import { walkActions } from '../actions'
import { useWalk } from '../api/get-walk'
import { nextStep } from '../state/next-step'
import type { ParameterValues } from '../state/parameter-values'
import { useFreshProject } from '../state/use-fresh-project'
import { EarlierRuns } from './earlier-runs'
import { StageDialog } from './stage-dialog'
import { StageStation } from './stage-station'
import styles from './walk-page.module.css'

/** A stage to ask about at once, and what its form starts with. */
export interface Asked {
  stage: string
  values: ParameterValues
}

export interface WalkPageProps {
  project: Project
  asked?: Asked | undefined
  /** Called when the dialog about `asked` is closed. */
  onAnswered?: (() => void) | undefined
}

export function WalkPage({ project, asked, onAnswered }: WalkPageProps) {
  const { data, error, isPending, refetch } = useWalk(project.slug)
  return (
    <Page>
      <PageHeader title="The walk" lead="From photographs to a release. Each stage runs when a curator starts it." />
      {isPending && <Skeleton label="the walk" rows={8} />}
      {error && !data && (
        <ErrorState error={error} title="The walk could not be shown" onRetry={() => void refetch()} />
      )}
      {data && <WalkLine project={project} walk={data} asked={asked} onAnswered={onAnswered} />}
    </Page>
  )
}

function WalkLine({ project, walk, asked, onAnswered }: WalkPageProps & { walk: Walk }) {
  const [opened, setOpened] = useState<Stage['name'] | null>(null)
  useFreshProject(project.slug, walk)
  const step = nextStep(walk)
  const mayStart = project.role === 'curator'
  useActions(walkActions, {
    'walk.next': {
      when: () => mayStart && step !== null,
      perform: () => setOpened(step?.stage.name ?? null),
    },
  })
  const stage = walk.stages.find(({ name }) => name === opened)
  const wanted = mayStart ? walk.stages.find(({ name, startable }) => startable && name === asked?.stage) : undefined
  return (
    <>
      <ol className={styles.line} aria-label="Stages">
        {walk.stages.map((each) => (
          <StageStation
            key={each.name}
            project={project}
            walk={walk}
            stage={each}
            next={mayStart && step?.stage.name === each.name ? step : null}
            onStart={mayStart ? () => setOpened(each.name) : null}
          />
        ))}
      </ol>
      {isComplete(walk) && <WalkedToTheEnd slug={project.slug} />}
      <EarlierRuns slug={project.slug} stages={walk.stages} />
      {stage && <StageDialog slug={project.slug} stage={stage} onClose={() => setOpened(null)} />}
      {wanted && !stage && (
        <StageDialog slug={project.slug} stage={wanted} asked={asked?.values ?? {}} onClose={() => onAnswered?.()} />
      )}
    </>
  )
}

const isComplete = (walk: Walk): boolean => walk.stages.at(-1)?.state === 'done' && nextStep(walk) === null

function WalkedToTheEnd({ slug }: { slug: string }) {
  return (
    <p className={styles.end}>
      <LinkButton to="/projects/$slug/releases" params={{ slug }} variant="primary">
        See the releases
      </LinkButton>
    </p>
  )
}

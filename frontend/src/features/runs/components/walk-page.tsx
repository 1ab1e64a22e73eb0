import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { LinkButton } from '@/components/ui/link-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import type { Project } from '@/lib/api/contract'
import type { Walk } from '@/lib/api/served'
import { t } from '@/messages/runs'
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
  /** Called as soon as `asked` has been read, so that it is not asked for a second time. */
  onAnswered?: (() => void) | undefined
}

export function WalkPage({ project, asked, onAnswered }: WalkPageProps) {
  const { data, error, isPending, refetch } = useWalk(project.slug)
  return (
    <Page>
      <PageHeader title={t.theWalk} lead={t.walkLead} />
      {isPending && <Skeleton label={t.theWalkLoading} rows={8} />}
      {error && !data && <ErrorState error={error} title={t.walkNotShown} onRetry={() => void refetch()} />}
      {data && <WalkLine project={project} walk={data} asked={asked} onAnswered={onAnswered} />}
    </Page>
  )
}

function WalkLine({ project, walk, asked, onAnswered }: WalkPageProps & { walk: Walk }) {
  const mayStart = project.role === 'curator'
  const { opened, open, close } = useOpened(mayStart ? asked : undefined)
  useEffect(() => {
    if (asked) onAnswered?.()
  }, [asked, onAnswered])
  useFreshProject(project.slug, walk)
  const navigate = useNavigate()
  const step = nextStep(walk)
  useActions(walkActions, {
    'walk.next': {
      when: () => mayStart && step !== null,
      perform: () => {
        if (step?.why === 'people') void navigate({ to: '/projects/$slug/people', params: { slug: project.slug } })
        else if (step) open(step.stage.name)
      },
    },
  })
  const stage = walk.stages.find(({ name }) => name === opened?.stage)
  return (
    <>
      <ol className={styles.line} aria-label={t.stages}>
        {walk.stages.map((each) => (
          <StageStation
            key={each.name}
            project={project}
            walk={walk}
            stage={each}
            next={mayStart && step?.stage.name === each.name ? step : null}
            onStart={mayStart ? () => open(each.name) : null}
          />
        ))}
      </ol>
      {isComplete(walk) && <WalkedToTheEnd slug={project.slug} />}
      <EarlierRuns slug={project.slug} stages={walk.stages} />
      {stage && opened && <StageDialog slug={project.slug} stage={stage} asked={opened.values} onClose={close} />}
    </>
  )
}

/** The stage that is asked about: what the address said when the page was opened, then what is pressed. */
function useOpened(asked: Asked | undefined) {
  const [opened, setOpened] = useState<Asked | null>(asked ?? null)
  return {
    opened,
    open: (stage: string) => setOpened({ stage, values: {} }),
    close: () => setOpened(null),
  }
}

function isComplete(walk: Walk): boolean {
  const last = walk.stages.at(-1)
  return last?.name === 'release' && last.state === 'done' && nextStep(walk) === null
}

function WalkedToTheEnd({ slug }: { slug: string }) {
  return (
    <p className={styles.end}>
      <LinkButton to="/projects/$slug/releases" params={{ slug }} variant="primary">
        {t.seeReleases}
      </LinkButton>
    </p>
  )
}

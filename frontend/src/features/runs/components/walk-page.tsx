import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Grid, Span } from '@/components/ui/grid'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import type { Project } from '@/lib/api/contract'
import type { Stage, Walk } from '@/lib/api/served'
import { useIsWide } from '@/lib/layout/use-is-wide'
import { t } from '@/messages/runs'
import { walkActions } from '../actions'
import { useWalk } from '../api/get-walk'
import { nextStep } from '../state/next-step'
import type { ParameterValues } from '../state/parameter-values'
import { useFreshProject } from '../state/use-fresh-project'
import { ActivityFeed } from './activity-feed'
import { NextButton } from './next-button'
import { PhaseBand } from './phase-band'
import { StageDialog } from './stage-dialog'
import { NoWorker, StagePanel } from './stage-panel'
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
  /** The stage whose details are shown at first. */
  shown?: string | undefined
  onShow?: ((stage: string) => void) | undefined
}

export function WalkPage(props: WalkPageProps) {
  const { data, error, isPending, refetch } = useWalk(props.project.slug)
  if (data) return <Pipeline {...props} walk={data} />
  return (
    <Page>
      <PageHeader title={t.theWalk} lead={t.walkLead} />
      {isPending && <Skeleton label={t.theWalkLoading} rows={8} />}
      {error && <ErrorState error={error} title={t.walkNotShown} onRetry={() => void refetch()} />}
    </Page>
  )
}

function Pipeline({ project, walk, asked, onAnswered, shown, onShow }: WalkPageProps & { walk: Walk }) {
  const { slug } = project
  const mayStart = project.role === 'curator'
  const { opened, open, close } = useOpened(mayStart ? asked : undefined)
  useEffect(() => {
    if (asked) onAnswered?.()
  }, [asked, onAnswered])
  useFreshProject(slug, walk)
  const navigate = useNavigate()
  const isWide = useIsWide('60rem')
  const [chosenName, setChosenName] = useState(shown)
  const step = nextStep(walk)
  useActions(walkActions, {
    'walk.next': {
      when: () => mayStart && step !== null,
      perform: () => {
        if (step?.why === 'people') void navigate({ to: '/projects/$slug/people', params: { slug } })
        else if (step) open(step.stage.name)
      },
    },
  })
  const chosen = walk.stages.find(({ name }) => name === chosenName) ?? stageToShow(walk)
  const choose = ({ name }: Stage) => {
    setChosenName(name)
    onShow?.(name)
  }
  const panel = chosen && (
    <StagePanel project={project} walk={walk} stage={chosen} onStart={mayStart ? () => open(chosen.name) : null} />
  )
  const lacking = walk.stages.find((stage) => stage.lacks_worker && stage !== chosen)
  const stage = walk.stages.find(({ name }) => name === opened?.stage)
  return (
    <Page>
      <PageHeader
        title={t.theWalk}
        lead={t.walkLead}
        actions={mayStart && <NextButton slug={slug} walk={walk} step={step} onStart={open} />}
      />
      {lacking && <NoWorker stage={lacking} />}
      <Grid className={styles.body}>
        <Span n={isWide ? 9 : 12}>
          <PhaseBand
            walk={walk}
            chosen={chosen}
            onChoose={choose}
            next={mayStart ? (step?.stage ?? null) : null}
            isVertical={!isWide}
            details={isWide ? null : panel}
          />
        </Span>
        {isWide && (
          <Span n={3} className={styles.side}>
            {panel}
          </Span>
        )}
        <Span n={isWide ? 9 : 12}>
          <ActivityFeed slug={slug} stages={walk.stages} />
        </Span>
      </Grid>
      {stage && opened && <StageDialog slug={slug} stage={stage} asked={opened.values} onClose={close} />}
    </Page>
  )
}

/** While nobody has chosen a stage: the one that runs, else the one to do now, else the last that is done. */
function stageToShow(walk: Walk): Stage | null {
  const running = walk.stages.find(({ state }) => state === 'running')
  return running ?? nextStep(walk)?.stage ?? walk.stages.findLast(({ last_run }) => last_run !== null) ?? null
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

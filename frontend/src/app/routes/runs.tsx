import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { RunPage } from '@/features/runs/components/run-page'
import { type Asked, WalkPage } from '@/features/runs/components/walk-page'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

/** `?start=embed_corpus&corpus=cc3m` asks about a stage; what else stands there fills its form. Nothing starts. */
function readAsked({ start, ...rest }: Readonly<Record<string, unknown>>): Asked | undefined {
  if (typeof start !== 'string') return undefined
  const isValue = (entry: [string, unknown]): entry is [string, string | number] =>
    typeof entry[1] === 'string' || typeof entry[1] === 'number'
  return { stage: start, values: Object.fromEntries(Object.entries(rest).filter(isValue)) }
}

export function WalkRoute() {
  const search: Readonly<Record<string, unknown>> = useSearch({ from: '/signed-in/projects/$slug/walk' })
  const asked = readAsked(search)
  const shown = typeof search.stage === 'string' ? search.stage : undefined
  const navigate = useNavigate()
  const show = (stage: string) =>
    void navigate({ to: '.', search: { stage }, replace: true, resetScroll: false })
  const forget = () => void navigate({ to: '.', search: {}, replace: true, resetScroll: false })
  return (
    <WithProject roles={reviewers}>
      {(project) => <WalkPage key={project.slug} project={project} asked={asked} onAnswered={forget} shown={shown} onShow={show} />}
    </WithProject>
  )
}

export function RunRoute() {
  const { runId } = useParams({ from: '/signed-in/projects/$slug/walk/runs/$runId' })
  return <WithProject roles={reviewers}>{(project) => <RunPage project={project} runId={runId} />}</WithProject>
}

import { useParams } from '@tanstack/react-router'
import { RunPage } from '@/features/runs/components/run-page'
import { WalkPage } from '@/features/runs/components/walk-page'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

export function WalkRoute() {
  return <WithProject roles={reviewers}>{(project) => <WalkPage key={project.slug} project={project} />}</WithProject>
}

export function RunRoute() {
  const { runId } = useParams({ from: '/signed-in/projects/$slug/walk/runs/$runId' })
  return <WithProject roles={reviewers}>{(project) => <RunPage project={project} runId={runId} />}</WithProject>
}

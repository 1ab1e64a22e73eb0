import { useParams } from '@tanstack/react-router'
import { DiversityPage } from '@/features/diversity/components/diversity-page'
import { DiversityReportPage } from '@/features/diversity/components/report-page'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

export function DiversityRoute() {
  return (
    <WithProject roles={reviewers}>{(project) => <DiversityPage key={project.slug} project={project} />}</WithProject>
  )
}

export function DiversityReportRoute() {
  const { runId } = useParams({ from: '/signed-in/projects/$slug/diversity/$runId' })
  return (
    <WithProject roles={reviewers}>
      {(project) => <DiversityReportPage key={runId} project={project} runId={runId} />}
    </WithProject>
  )
}

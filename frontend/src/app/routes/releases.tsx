import { useParams } from '@tanstack/react-router'
import { ReleaseListPage } from '@/features/releases/components/release-list-page'
import { ReleasePage } from '@/features/releases/components/release-page'
import { everyone } from '../shell/project-pages'
import { WithProject } from './with-project'

export function ReleaseListRoute() {
  return (
    <WithProject roles={everyone}>{(project) => <ReleaseListPage key={project.slug} project={project} />}</WithProject>
  )
}

export function ReleaseRoute() {
  const { releaseId } = useParams({ from: '/signed-in/projects/$slug/releases/$releaseId' })
  return (
    <WithProject roles={everyone}>
      {(project) => <ReleasePage key={releaseId} project={project} releaseId={releaseId} />}
    </WithProject>
  )
}

import { useSearch } from '@tanstack/react-router'
import { LeakagePage } from '@/features/candidates/components/leakage-page'
import { readSuspectFilter } from '@/features/candidates/state/suspect-words'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

export function LeakageRoute() {
  const filter = readSuspectFilter(useSearch({ from: '/signed-in/projects/$slug/leakage' }))
  return (
    <WithProject roles={reviewers}>
      {(project) => <LeakagePage key={project.slug} project={project} filter={filter} />}
    </WithProject>
  )
}

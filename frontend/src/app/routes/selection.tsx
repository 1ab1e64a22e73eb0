import { useSearch } from '@tanstack/react-router'
import { SelectionPage } from '@/features/selection/components/selection-page'
import { readFilter } from '@/features/selection/state/selection-filter'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

export function SelectionRoute() {
  const search: Record<string, unknown> = useSearch({ from: '/signed-in/projects/$slug/selection' })
  return (
    <WithProject roles={reviewers}>
      {(project) => <SelectionPage key={project.slug} project={project} filter={readFilter(search)} />}
    </WithProject>
  )
}

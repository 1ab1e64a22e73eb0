import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { JudgedPage } from '@/features/feedback/components/judged-page'
import { judgedSearch, readJudgedFilter } from '@/features/feedback/state/judged-filter'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

/** `?label=bad&outvoted=1&commented=1` narrows the list of answers. */
export function JudgedRoute() {
  const from = '/signed-in/projects/$slug/quality/annotators/$annotatorId/answers'
  const { annotatorId } = useParams({ from })
  const search: Record<string, unknown> = useSearch({ from })
  const navigate = useNavigate()
  return (
    <WithProject roles={reviewers}>
      {(project) => (
        <JudgedPage
          key={annotatorId}
          project={project}
          annotator={Number(annotatorId)}
          filter={readJudgedFilter(search)}
          onFilter={(filter) =>
            void navigate({ to: '.', search: judgedSearch(filter), replace: true, resetScroll: false })
          }
        />
      )}
    </WithProject>
  )
}

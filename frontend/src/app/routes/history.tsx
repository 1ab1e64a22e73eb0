import { HistoryPage } from '@/features/projects/components/history-page'
import { ruleInWords } from '@/features/quality/state/rules'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

/** Rules are named as on the quality page. */
export function HistoryRoute() {
  return (
    <WithProject roles={reviewers}>
      {(project) => <HistoryPage key={project.slug} slug={project.slug} ruleInWords={ruleInWords} />}
    </WithProject>
  )
}

import { HistoryPage } from '@/features/projects/components/history-page'
import { usePolicyDefaults } from '@/features/quality/api/policies'
import { collectorOf, ruleInWords } from '@/features/quality/state/rules'
import type { Project } from '@/lib/api/contract'
import type { PolicyRule } from '@/lib/api/served'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

export function HistoryRoute() {
  return (
    <WithProject roles={reviewers}>{(project) => <WithRuleWords key={project.slug} project={project} />}</WithProject>
  )
}

/** Rules are named as on the quality page. */
function WithRuleWords({ project }: { project: Project }) {
  const collectors = usePolicyDefaults(project.slug).data?.collectors ?? []
  return (
    <HistoryPage
      slug={project.slug}
      ruleInWords={(rule: PolicyRule) => ruleInWords(rule, collectorOf(collectors, rule))}
    />
  )
}

import { useNavigate, useSearch } from '@tanstack/react-router'
import { HistoryPage, historyKinds } from '@/features/projects/components/history-page'
import { ruleInWords } from '@/features/quality/state/rules'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

/** Rules are named as on the quality page. `?kind=rules` shows one kind of change, so that it can be sent as a link. */
export function HistoryRoute() {
  const search: Record<string, unknown> = useSearch({ from: '/signed-in/projects/$slug/history' })
  const navigate = useNavigate()
  return (
    <WithProject roles={reviewers}>
      {({ slug }) => (
        <HistoryPage
          key={slug}
          slug={slug}
          ruleInWords={ruleInWords}
          kind={historyKinds.find((kind) => kind === search.kind) ?? null}
          onKind={(kind) =>
            void navigate({ to: '/projects/$slug/history', params: { slug }, search: kind ? { kind } : {}, replace: true })
          }
        />
      )}
    </WithProject>
  )
}

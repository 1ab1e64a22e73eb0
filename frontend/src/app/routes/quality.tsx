import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { PairPage } from '@/features/quality/components/pair-page'
import { PersonPage } from '@/features/quality/components/person-page'
import { QualityPage, type QualityTab, qualityTabs } from '@/features/quality/components/quality-page'
import { listSearch, readList } from '@/features/quality/state/annotator-list'
import { readControlState } from '@/features/quality/state/control-filter'
import type { Label } from '@/lib/api/contract'
import { reviewers } from '../shell/project-pages'
import { WithProject } from './with-project'

/** `?tab=annotators&state=paused&sort=-hits` opens a tab and its list, so that it can be sent as a link. */
export function QualityRoute() {
  const search: Record<string, unknown> = useSearch({ from: '/signed-in/projects/$slug/quality' })
  const navigate = useNavigate()
  const show = (to: Record<string, unknown>) =>
    void navigate({ to: '.', search: to, replace: true, resetScroll: false })
  const open: QualityTab = qualityTabs.find((each) => each === search.tab) ?? 'agreement'
  return (
    <WithProject roles={reviewers}>
      {(project) => (
        <QualityPage
          key={project.slug}
          project={project}
          tab={open}
          onTab={(tab) => show({ tab })}
          list={readList(search)}
          controls={readControlState(search.controls)}
          onControls={(controls) => show({ tab: 'controls', ...(controls && { controls }) })}
          onList={(list) => show({ tab: 'annotators', ...listSearch(list) })}
        />
      )}
    </WithProject>
  )
}

const labels: readonly Label[] = ['good', 'bad', 'unsure']
const asLabel = (value: unknown): Label | undefined => labels.find((label) => label === value)

/** `?a=good&b=bad` narrows the list to one cell of the table. */
export function PairRoute() {
  const from = '/signed-in/projects/$slug/quality/pairs/$first/$second'
  const { first, second } = useParams({ from })
  const search: Record<string, unknown> = useSearch({ from })
  const navigate = useNavigate()
  return (
    <WithProject roles={reviewers}>
      {(project) => (
        <PairPage
          key={`${first} ${second}`}
          project={project}
          first={Number(first)}
          second={Number(second)}
          cell={{ first: asLabel(search.a), second: asLabel(search.b) }}
          onCell={({ first: a, second: b }) =>
            void navigate({ to: '.', search: a && b ? { a, b } : {}, replace: true, resetScroll: false })
          }
        />
      )}
    </WithProject>
  )
}

export function PersonRoute() {
  const { annotatorId } = useParams({ from: '/signed-in/projects/$slug/quality/annotators/$annotatorId' })
  return (
    <WithProject roles={reviewers}>
      {(project) => <PersonPage key={annotatorId} project={project} id={Number(annotatorId)} />}
    </WithProject>
  )
}

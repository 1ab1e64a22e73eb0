import { useQueryClient } from '@tanstack/react-query'
import { ActionButton } from '@/components/ui/action-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Tabs } from '@/components/ui/tabs'
import { useActions } from '@/lib/actions/action-context'
import type { Project } from '@/lib/api/contract'
import { t } from '@/messages/quality'
import { qualityActions } from '../actions'
import type { AnnotatorList } from '../state/annotator-list'
import type { ControlState } from '../state/control-filter'
import { AgreementTab } from './agreement-tab'
import { AnnotatorsTab } from './annotators-tab'
import { ControlsTab } from './controls-tab'
import { ForecastTab } from './forecast-tab'
import { PolicyTab } from './policy-tab'

export const qualityTabs = ['agreement', 'annotators', 'policy', 'controls', 'forecast'] as const
export type QualityTab = (typeof qualityTabs)[number]

export interface QualityPageProps {
  project: Project
  tab: QualityTab
  onTab: (tab: QualityTab) => void
  list: AnnotatorList
  onList: (list: AnnotatorList) => void
  controls: ControlState | null
  onControls: (controls: ControlState | null) => void
}

/** The quality of the judgments, their annotators, and the rules by which they count. */
export function QualityPage({ project, tab, onTab, list, onList, controls, onControls }: QualityPageProps) {
  const queryClient = useQueryClient()
  useActions(qualityActions, {
    'quality.refresh': () => void queryClient.invalidateQueries({ queryKey: ['project', project.slug, 'quality'] }),
  })
  const { slug } = project
  const mayCurate = project.role === 'curator'
  return (
    <Page isWide>
      <PageHeader
        title={t.quality}
        lead={t.qualityLead}
        actions={<ActionButton id="quality.refresh" variant="quiet" />}
      />
      <Tabs
        label={t.quality}
        open={tab}
        onOpen={(id) => {
          const chosen = qualityTabs.find((each) => each === id)
          if (chosen) onTab(chosen)
        }}
        tabs={[
          { id: 'agreement', label: t.agreement, content: <AgreementTab project={project} /> },
          { id: 'annotators', label: t.annotators, content: <AnnotatorsTab slug={slug} list={list} onList={onList} /> },
          { id: 'policy', label: t.policy, content: <PolicyTab slug={slug} mayCurate={mayCurate} /> },
          {
            id: 'controls',
            label: t.controls,
            content: <ControlsTab project={project} filter={controls} onFilter={onControls} />,
          },
          { id: 'forecast', label: t.forecast, content: <ForecastTab project={project} /> },
        ]}
      />
    </Page>
  )
}

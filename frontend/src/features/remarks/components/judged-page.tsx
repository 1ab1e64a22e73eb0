import { useNavigate } from '@tanstack/react-router'
import { ActionButton } from '@/components/ui/action-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Tabs } from '@/components/ui/tabs'
import { useActions } from '@/lib/actions/action-context'
import type { Project } from '@/lib/api/contract'
import { t } from '@/messages/remarks'
import { judgedPageActions } from '../actions'
import { useJudged } from '../api/get-judged'
import { everything, JudgedTab } from './judged-tab'
import { RemarksTab } from './remarks-tab'

/** One person's judgments for the head annotator to read, and the remarks that were written on them. */
export function JudgedPage({ project: { slug }, annotator }: { project: Project; annotator: number }) {
  const navigate = useNavigate()
  const name = useJudged(slug, annotator, everything).data?.pages[0]?.results[0]?.annotator.name
  useActions(judgedPageActions, {
    'judged.close': () =>
      void navigate({ to: '/projects/$slug/quality', params: { slug }, search: { tab: 'annotators' } }),
  })
  return (
    <Page>
      <PageHeader
        title={t.judgedBy({ name: name ?? t.annotator })}
        lead={t.lead}
        actions={<ActionButton id="judged.close" size="small" variant="quiet" icon="chevronLeft" showsKey />}
      />
      <Tabs
        label={t.judged}
        tabs={[
          { id: 'judged', label: t.judged, content: <JudgedTab slug={slug} annotator={annotator} /> },
          { id: 'remarks', label: t.remarks, content: <RemarksTab slug={slug} annotator={annotator} /> },
        ]}
      />
    </Page>
  )
}

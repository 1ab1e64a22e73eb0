import { useNavigate } from '@tanstack/react-router'
import { ActionButton } from '@/components/ui/action-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Tabs } from '@/components/ui/tabs'
import { useActions } from '@/lib/actions/action-context'
import { t } from '@/messages/remarks'
import { judgedPageActions } from '../actions'
import { useJudged } from '../api/get-judged'
import { everyRemark } from '../api/remarks'
import { everything } from '../state/judged-filter'
import { EffectTab } from './effect-tab'
import { JudgedTab, type JudgedTabProps } from './judged-tab'
import { ThreadList } from './thread-list'

/** One person's answers for the head annotator to read, the feedback on them, and what it changed. */
export function JudgedPage({ project, annotator, filter, onFilter }: JudgedTabProps) {
  const { slug } = project
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
          { id: 'judged', label: t.judged, content: <JudgedTab {...{ project, annotator, filter, onFilter }} /> },
          {
            id: 'remarks',
            label: t.remarks,
            content: <ThreadList slug={slug} filter={{ ...everyRemark, annotator }} isFiltered={false} />,
          },
          { id: 'effect', label: t.effect, content: <EffectTab slug={slug} annotator={annotator} /> },
        ]}
      />
    </Page>
  )
}

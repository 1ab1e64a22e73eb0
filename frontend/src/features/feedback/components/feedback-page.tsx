import { Page, PageHeader } from '@/components/ui/page-header'
import { Tabs } from '@/components/ui/tabs'
import type { Project } from '@/lib/api/contract'
import { t } from '@/messages/remarks'
import { filterOf, searchOf } from '../state/remark-filter'
import { EffectTab } from './effect-tab'
import { SentTab } from './sent-tab'
import { TemplatesTab } from './templates-tab'

type Search = Readonly<Record<string, unknown>>

const tabs: readonly string[] = ['sent', 'effect', 'templates']

export interface FeedbackPageProps {
  project: Project
  /** What is behind the question mark of the address, and what changes it. */
  search: Search
  onSearch: (search: Search) => void
}

/** All feedback of the project with its state, what it changed, and the templates it is written from. */
export function FeedbackPage({ project: { slug }, search, onSearch }: FeedbackPageProps) {
  return (
    <Page>
      <PageHeader title={t.remarks} lead={t.pageLead} />
      <Tabs
        label={t.remarks}
        open={tabs.find((tab) => tab === search.tab) ?? 'sent'}
        onOpen={(tab) => onSearch(tab === 'sent' ? {} : { tab })}
        tabs={[
          {
            id: 'sent',
            label: t.sentTab,
            content: (
              <SentTab slug={slug} filter={filterOf(search)} onFilter={(filter) => onSearch(searchOf(filter))} />
            ),
          },
          { id: 'effect', label: t.effect, content: <EffectTab slug={slug} annotator={null} /> },
          { id: 'templates', label: t.templates, content: <TemplatesTab slug={slug} /> },
        ]}
      />
    </Page>
  )
}

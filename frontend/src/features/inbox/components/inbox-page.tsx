import { Page, PageHeader } from '@/components/ui/page-header'
import type { Project } from '@/lib/api/contract'
import { t } from '@/messages/inbox'
import { InboxList } from './inbox-list'

/** What the head annotator wrote to the person, each remark on the caption it is about. */
export function InboxPage({ project: { slug } }: { project: Project }) {
  return (
    <Page>
      <PageHeader title={t.inbox} lead={t.lead} />
      <InboxList slug={slug} hasKeys />
    </Page>
  )
}

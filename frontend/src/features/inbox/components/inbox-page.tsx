import { Page, PageHeader } from '@/components/ui/page-header'
import type { Project } from '@/lib/api/contract'
import { useIsWide } from '@/lib/layout/use-is-wide'
import { t } from '@/messages/inbox'
import { InboxList } from './inbox-list'

export interface InboxPageProps {
  project: Project
  /** The remark that a link leads to. */
  remark?: number | undefined
}

/** What the head annotator wrote to the person, each remark on the caption it is about. */
export function InboxPage({ project: { slug }, remark }: InboxPageProps) {
  const isWide = useIsWide('64rem')
  return (
    <Page isWide>
      <PageHeader title={t.inbox} lead={t.lead} />
      <InboxList slug={slug} hasKeys isWide={isWide} remark={remark} />
    </Page>
  )
}

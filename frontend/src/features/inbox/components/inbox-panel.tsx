import { SidePanel } from '@/components/ui/side-panel'
import { t } from '@/messages/inbox'
import { InboxList } from './inbox-list'

/** The same remarks beside the work; the page under it stays where it is. */
export function InboxPanel({ slug, onClose }: { slug: string; onClose: () => void }) {
  return (
    <SidePanel title={t.feedback} onClose={onClose}>
      <InboxList slug={slug} />
    </SidePanel>
  )
}

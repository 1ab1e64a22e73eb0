import { Drawer } from '@/components/ui/dialog'
import { t } from '@/messages/inbox'
import { InboxList } from './inbox-list'

/** The same remarks beside the work; the page under it stays where it is. */
export function InboxDrawer({ slug, onClose }: { slug: string; onClose: () => void }) {
  return (
    <Drawer title={t.feedback} isOpen onClose={onClose}>
      <InboxList slug={slug} />
    </Drawer>
  )
}

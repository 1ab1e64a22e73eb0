import { Drawer } from '@/components/ui/dialog'
import { Markdown } from '@/components/ui/markdown'
import { EmptyState } from '@/components/ui/states'
import { t } from '@/messages/annotate'

/** The project's guidelines, over the captions and beside the photograph; the page stays where it is. */
export function GuidelinesDrawer({ guidelines, onClose }: { guidelines: string; onClose: () => void }) {
  return (
    <Drawer title={t.guidelines} isOpen onClose={onClose}>
      {guidelines.trim() ? (
        <Markdown>{guidelines}</Markdown>
      ) : (
        <EmptyState title={t.noGuidelines}>{t.noGuidelinesWords}</EmptyState>
      )}
    </Drawer>
  )
}

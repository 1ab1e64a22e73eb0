import { Drawer } from '@/components/ui/dialog'
import { Markdown } from '@/components/ui/markdown'
import { EmptyState } from '@/components/ui/states'

/** The project's guidelines, over the captions and beside the photograph; the page stays where it is. */
export function GuidelinesDrawer({ guidelines, onClose }: { guidelines: string; onClose: () => void }) {
  return (
    <Drawer title="Guidelines" isOpen onClose={onClose}>
      {guidelines.trim() ? (
        <Markdown>{guidelines}</Markdown>
      ) : (
        <EmptyState title="No guidelines yet">
          The curator has not written any. Judge a caption good when a person could say it of the photograph.
        </EmptyState>
      )}
    </Drawer>
  )
}

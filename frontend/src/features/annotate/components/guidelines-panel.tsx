import { Markdown } from '@/components/ui/markdown'
import { SidePanel } from '@/components/ui/side-panel'
import { EmptyState } from '@/components/ui/states'
import { WorkedExamples } from '@/components/ui/worked-examples'
import type { Project } from '@/lib/api/contract'
import { useExamples } from '@/lib/project/get-examples'
import { t } from '@/messages/annotate'

/** The guidelines and their examples; the page stays where it is. */
export function GuidelinesPanel({ project, onClose }: { project: Project; onClose: () => void }) {
  const examples = useExamples(project.slug).data?.examples ?? []
  const { guidelines } = project
  return (
    <SidePanel title={t.guidelines} onClose={onClose}>
      {guidelines.trim() && <Markdown>{guidelines}</Markdown>}
      <WorkedExamples examples={examples} />
      {!guidelines.trim() && examples.length === 0 && (
        <EmptyState title={t.noGuidelines}>{t.noGuidelinesWords}</EmptyState>
      )}
    </SidePanel>
  )
}

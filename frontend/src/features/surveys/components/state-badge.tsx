import { Badge } from '@/components/ui/badge'
import type { Survey } from '@/lib/api/served'
import { t } from '@/messages/surveys'

const words: Record<Survey['state'], string> = { draft: t.draft, open: t.isOpen, closed: t.isClosed }

export function StateBadge({ survey: { state } }: { survey: Survey }) {
  return <Badge tone={state === 'open' ? 'accent' : 'neutral'}>{words[state]}</Badge>
}

import { Badge } from '@/components/ui/badge'
import type { Run } from '@/lib/api/served'
import { looksOf } from '../state/run-looks'

export function RunBadge({ run }: { run: Run }) {
  const look = looksOf(run)
  return (
    <Badge tone={look.tone} icon={look.icon}>
      {look.word}
    </Badge>
  )
}

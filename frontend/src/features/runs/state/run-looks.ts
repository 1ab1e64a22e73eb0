import type { Tone } from '@/components/ui/badge'
import type { IconName } from '@/components/ui/icon'
import type { Run, RunStatus } from '@/lib/api/served'
import { t } from '@/messages/runs'

/** Colour, sign and word of a run's status. */
export const runLooks: Record<RunStatus, { tone: Tone; icon: IconName; word: string }> = {
  queued: { tone: 'neutral', icon: 'play', word: t.queued },
  running: { tone: 'accent', icon: 'play', word: t.running },
  succeeded: { tone: 'good', icon: 'check', word: t.succeeded },
  failed: { tone: 'bad', icon: 'cross', word: t.failed },
  cancelled: { tone: 'unsure', icon: 'stop', word: t.cancelled },
}

export const isLive = (run: Run): boolean => run.status === 'queued' || run.status === 'running'

/** A reason code as words: "too_short" -> "too short". */
export const reasonWords = (code: string): string => code.replaceAll('_', ' ')

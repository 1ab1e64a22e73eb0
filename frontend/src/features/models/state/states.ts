import type { Tone } from '@/components/ui/badge'
import type { CalibratedModel } from '@/lib/api/served'
import { t } from '@/messages/models'

export const stateLooks: Record<CalibratedModel['state'], { word: string; tone: Tone }> = {
  current: { word: t.current, tone: 'accent' },
  stale: { word: t.stale, tone: 'warning' },
  shipped: { word: t.shipped, tone: 'neutral' },
  missing: { word: t.missing, tone: 'warning' },
}

export const reasonWords: Record<CalibratedModel['stale_reasons'][number], string> = {
  weights: t.weights,
  preprocessing: t.preprocessing,
  pairs: t.pairs,
}

/** What Rate difficulty uses instead of a stale record. */
export function usedInstead({ used, is_shipped_used: usesShipped, versions }: CalibratedModel): string {
  const version = versions.find(({ id }) => id === used)
  if (version) return t.usesVersion({ version: version.version })
  return usesShipped ? t.usesShipped : t.usesNone
}

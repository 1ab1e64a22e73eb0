import type { FeedbackEffect } from '@/lib/api/served'
import { templateName } from '@/lib/feedback/template-words'
import { formatCount, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/remarks'

/** How many answers before and after feedback are compared. */
export const nAnswers = 30

/** "+12": a difference of shares in percentage points, with its sign. */
export function percentPoints(difference: number): string {
  const points = Math.round(difference * 100)
  return points > 0 ? `+${formatCount(points)}` : formatCount(points).replace('-', '−')
}

/** "83.3%"; a dash where there is nothing to compare. */
export const shareInWords = (share: FeedbackEffect['before']): string => (share ? formatShare(share.share) : '–')

/** What kind of feedback it was. */
export const kindOf = ({ template }: FeedbackEffect): string => (template ? templateName(template) : t.noTemplate)

/** "+12 points (3 to 21)"; what is missing where there is nothing to compare. */
export function effectInWords({ difference }: FeedbackEffect): string {
  if (!difference) return t.notEnough
  const { value, low, high } = difference
  return t.points({ value: percentPoints(value), low: percentPoints(low), high: percentPoints(high) })
}

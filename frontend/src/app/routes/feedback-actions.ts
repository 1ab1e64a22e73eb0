import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/shell'

/** Beside the work: the remarks of the inbox, over the captions. */
export const feedbackActions = [
  { id: 'feedback.open', name: t.openFeedback, label: t.feedback, keys: ['f'], scope: 'annotate' },
] as const satisfies readonly ActionSpec[]

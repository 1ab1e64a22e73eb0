import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/preview'

/** The verbs of the preview, beside those of the desk in it. */
export const previewActions = [
  { id: 'preview.start', name: t.startAnnotating, label: t.annotateYourself, keys: ['a'], scope: 'annotate' },
  { id: 'preview.another', name: t.showAnotherTask, label: t.anotherTask, keys: ['n'], scope: 'annotate' },
] as const satisfies readonly ActionSpec[]

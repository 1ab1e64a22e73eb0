import { photoActions } from '@/components/photograph/photo-actions'
import type { ActionSpec } from '@/lib/actions/action'
import { backKey } from '@/lib/language/direction'
import { t } from '@/messages/survey-answering'

/** The verbs of a participant. A person without an account chooses no keys, so these are not in the list of all verbs. */
export const surveyAnsweringActions = [
  { id: 'survey.good', name: t.answerGood, label: t.good, keys: ['g', '1'], scope: 'annotate', decides: true },
  { id: 'survey.bad', name: t.answerBad, label: t.bad, keys: ['b', '2'], scope: 'annotate', decides: true },
  { id: 'survey.back', name: t.goBack, label: t.back, keys: ['z', backKey], scope: 'annotate' },
  ...photoActions,
] as const satisfies readonly ActionSpec[]

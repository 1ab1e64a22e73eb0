import { labelLooksOf } from '@/components/ui/label-looks'
import { perLooks } from '@/components/ui/label-words'
import type { ActionSpec } from '@/lib/actions/action'
import type { Label } from '@/lib/api/contract'
import { t } from '@/messages/qualification'

/** The verbs of the page before the first HIT; the answers have the keys of the annotate page. */
export const quizActions = perLooks((looks) => {
  const answer = (label: Label) => ({ name: t.answerAs({ label: looks[label].said }), label: looks[label].word })
  return [
    { id: 'qualify.good', ...answer('good'), keys: ['g', '1'], scope: 'qualify', decides: true },
    { id: 'qualify.bad', ...answer('bad'), keys: ['b', '2'], scope: 'qualify', decides: true },
    { id: 'qualify.unsure', ...answer('unsure'), keys: ['u', '3'], scope: 'qualify', decides: true },
    { id: 'qualify.next', name: t.goNextQuestion, label: t.goOn, keys: ['Enter'], scope: 'qualify', decides: true },
  ] as const satisfies readonly ActionSpec[]
})

export const qualifyActions = quizActions(labelLooksOf('captions_of_image'))

/** The one verb under the guidelines: Enter presses its button, and Space scrolls on. */
export const readActions = [
  { id: 'qualify.read', name: t.confirmRead, label: t.haveRead, keys: ['Enter'], scope: 'qualify-read', decides: true },
] as const satisfies readonly ActionSpec[]

import { photoActions } from '@/components/photograph/photo-actions'
import { labelLooksOf } from '@/components/ui/label-looks'
import type { ActionSpec } from '@/lib/actions/action'
import type { Label } from '@/lib/api/contract'
import { backKey, onwardKey } from '@/lib/language/direction'
import { t } from '@/messages/annotate'

const looks = labelLooksOf('captions_of_image')
const looksOfPhotographs = labelLooksOf('images_of_query')
const ofCaption = (label: Label) => ({ name: t.judgeCaption({ label: looks[label].said }), label: looks[label].word })

/**
 * The verbs of the annotate page. The first key of each may be replaced in the person's preferences. The three answers
 * have their letter and, behind it, the digit of their place among the buttons.
 */
export const annotateActions = [
  { id: 'judge.good', ...ofCaption('good'), keys: ['g', '1'], scope: 'annotate', decides: true },
  { id: 'judge.bad', ...ofCaption('bad'), keys: ['b', '2'], scope: 'annotate', decides: true },
  { id: 'judge.unsure', ...ofCaption('unsure'), keys: ['u', '3'], scope: 'annotate', decides: true },
  { id: 'caption.next', name: t.goNext, label: t.next, keys: [onwardKey], scope: 'annotate' },
  { id: 'caption.previous', name: t.goBefore, label: t.back, keys: [backKey], scope: 'annotate' },
  { id: 'caption.down', name: t.goDown, label: t.down, keys: ['ArrowDown'], scope: 'annotate' },
  { id: 'caption.up', name: t.goUp, label: t.up, keys: ['ArrowUp'], scope: 'annotate' },
  { id: 'caption.edit', name: t.editCaption, label: t.edit, keys: ['e'], scope: 'annotate', decides: true },
  {
    id: 'caption.lens',
    name: t.sayLens,
    label: t.lens,
    keys: ['l'],
    scope: 'annotate',
    decides: true,
  },
  {
    id: 'caption.generic',
    name: t.markGeneric,
    label: t.tooGeneric,
    keys: ['t'],
    scope: 'annotate',
    decides: true,
  },
  { id: 'caption.comment', name: t.writeComment, label: t.comment, keys: ['c'], scope: 'annotate', decides: true },
  { id: 'judge.undo', name: t.undoLast, label: t.undo, keys: ['z'], scope: 'annotate', decides: true },
  {
    id: 'judge.redo',
    name: t.redoUndone,
    label: t.redo,
    keys: ['y', 'Shift+z'],
    scope: 'annotate',
    decides: true,
  },
  {
    id: 'hit.submit',
    name: t.submitAndNext,
    label: t.submit,
    keys: ['Enter'],
    scope: 'annotate',
    decides: true,
  },
  { id: 'hit.leave', name: t.leaveSent, label: t.leaveAsSent, keys: ['x'], scope: 'annotate' },
  { id: 'hit.skip', name: t.skipThis, label: t.skip, keys: ['s'], scope: 'annotate', decides: true },
  ...photoActions,
] as const satisfies readonly ActionSpec[]

/** Beside the work of every task, whatever is on the desk. */
export const guidelinesActions = [
  { id: 'guidelines.open', name: t.readGuidelines, label: t.guidelines, keys: ['i'], scope: 'annotate' },
] as const satisfies readonly ActionSpec[]

/** Where nothing waits for the person, one verb is left. */
export const nothingActions = [
  { id: 'hit.bring-back', name: t.bringJustSentBack, label: t.bringBack, keys: ['z'], scope: 'nothing' },
] as const satisfies readonly ActionSpec[]

export type AnnotateAction = Omit<(typeof annotateActions)[number], 'keys' | 'name' | 'label'> & ActionSpec

const drawn = new Map<string, readonly AnnotateAction[]>()

/** What there is for captions alone, and for photographs other words. */
const ofCaptions: readonly string[] = ['caption.edit', 'caption.generic']
const ofPhotograph = ({ word, said }: { word: string; said: string }) => ({
  name: t.judgePhotograph({ label: said }),
  label: word,
})
const sendsChanges = { name: t.sendChangesAndGo, label: t.sendChanges }

/**
 * The verbs of one kind of HIT, with 1, 2 and 3 on the answers in this order; of one that was sent before, Enter sends
 * the changes, and a preview is not skipped. Equal orders of one kind give the same list.
 */
export function actionsInOrder(
  options: readonly Label[],
  { isRevision = false, isCaption = true, isPreview = false } = {},
): readonly AnnotateAction[] {
  const name = `${options.join()} ${isRevision} ${isCaption} ${isPreview}`
  const known = drawn.get(name)
  if (known) return known
  const isHere = ({ id }: AnnotateAction) =>
    (isCaption || !ofCaptions.includes(id)) &&
    id !== (isRevision ? 'hit.skip' : 'hit.leave') &&
    !(isPreview && id === 'hit.skip')
  const actions = annotateActions.filter(isHere).map((action): AnnotateAction => {
    if (isRevision && action.id === 'hit.submit') return { ...action, ...sendsChanges }
    const place = options.findIndex((label) => action.id === `judge.${label}`)
    const label = options[place]
    if (!label) return action
    const words = isCaption ? {} : ofPhotograph(looksOfPhotographs[label])
    return { ...action, ...words, keys: [action.keys[0], String(place + 1)] }
  })
  drawn.set(name, actions)
  return actions
}

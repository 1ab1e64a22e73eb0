import type { ActionSpec } from '@/lib/actions/action'
import type { Label } from '@/lib/api/contract'

/**
 * The verbs of the annotate page. The first key of each may be replaced in the person's preferences. The three answers
 * have their letter and, behind it, the digit of their place among the buttons.
 */
export const annotateActions = [
  {
    id: 'judge.good',
    name: 'Judge the caption good',
    label: 'Good',
    keys: ['g', '1'],
    scope: 'annotate',
    decides: true,
  },
  { id: 'judge.bad', name: 'Judge the caption bad', label: 'Bad', keys: ['b', '2'], scope: 'annotate', decides: true },
  {
    id: 'judge.unsure',
    name: 'Leave the caption unsure',
    label: 'Unsure',
    keys: ['u', '3'],
    scope: 'annotate',
    decides: true,
  },
  { id: 'caption.next', name: 'Go to the next one', label: 'Next', keys: ['ArrowRight'], scope: 'annotate' },
  { id: 'caption.previous', name: 'Go to the one before', label: 'Back', keys: ['ArrowLeft'], scope: 'annotate' },
  { id: 'caption.down', name: 'Go one line down', label: 'Down', keys: ['ArrowDown'], scope: 'annotate' },
  { id: 'caption.up', name: 'Go one line up', label: 'Up', keys: ['ArrowUp'], scope: 'annotate' },
  { id: 'caption.edit', name: 'Edit the caption', label: 'Edit', keys: ['e'], scope: 'annotate', decides: true },
  {
    id: 'caption.lens',
    name: 'Say in which way it is good',
    label: 'Lens',
    keys: ['l'],
    scope: 'annotate',
    decides: true,
  },
  {
    id: 'caption.generic',
    name: 'Mark the caption too generic',
    label: 'Too generic',
    keys: ['t'],
    scope: 'annotate',
    decides: true,
  },
  { id: 'caption.comment', name: 'Write a comment', label: 'Comment', keys: ['c'], scope: 'annotate', decides: true },
  { id: 'judge.undo', name: 'Undo the last step', label: 'Undo', keys: ['z'], scope: 'annotate', decides: true },
  {
    id: 'judge.redo',
    name: 'Do again what was undone',
    label: 'Redo',
    keys: ['y', 'Shift+z'],
    scope: 'annotate',
    decides: true,
  },
  {
    id: 'hit.submit',
    name: 'Submit and take the next one',
    label: 'Submit',
    keys: ['Enter'],
    scope: 'annotate',
    decides: true,
  },
  { id: 'hit.leave', name: 'Leave it as it was sent', label: 'Leave as sent', keys: ['x'], scope: 'annotate' },
  { id: 'hit.skip', name: 'Skip this one', label: 'Skip', keys: ['s'], scope: 'annotate', decides: true },
  { id: 'guidelines.open', name: 'Read the guidelines', label: 'Guidelines', keys: ['i'], scope: 'annotate' },
  { id: 'photo.zoom-in', name: 'Zoom in', label: 'Zoom in', keys: ['+', '='], scope: 'annotate' },
  { id: 'photo.zoom-out', name: 'Zoom out', label: 'Zoom out', keys: ['-'], scope: 'annotate' },
  { id: 'photo.fit', name: 'Fit the photograph', label: 'Fit', keys: [' '], scope: 'annotate' },
] as const satisfies readonly ActionSpec[]

/** Where nothing waits for the person, one verb is left. */
export const nothingActions = [
  { id: 'hit.bring-back', name: 'Bring the one just sent back', label: 'Bring it back', keys: ['z'], scope: 'nothing' },
] as const satisfies readonly ActionSpec[]

export type AnnotateAction = Omit<(typeof annotateActions)[number], 'keys' | 'name' | 'label'> & ActionSpec

const drawn = new Map<string, readonly AnnotateAction[]>()

const sendsChanges = { name: 'Send the changes and go on', label: 'Send changes' }

/**
 * The same verbs with 1, 2 and 3 on the answers in this order; of a HIT that was sent before, Enter sends the changes.
 * Equal orders give the same list.
 */
export function actionsInOrder(options: readonly Label[], isRevision = false): readonly AnnotateAction[] {
  const name = `${options.join()} ${isRevision}`
  const known = drawn.get(name)
  if (known) return known
  const actions = annotateActions.map((action): AnnotateAction => {
    if (isRevision && action.id === 'hit.submit') return { ...action, ...sendsChanges }
    const place = options.findIndex((label) => action.id === `judge.${label}`)
    return place < 0 ? action : { ...action, keys: [action.keys[0], String(place + 1)] }
  })
  drawn.set(name, actions)
  return actions
}

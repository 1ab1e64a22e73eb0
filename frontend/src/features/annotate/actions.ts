import type { ActionSpec } from '@/lib/actions/action'

/** The verbs of the annotate page. The first key of each may be replaced in the person's preferences. */
export const annotateActions = [
  {
    id: 'judge.good',
    name: 'Judge the caption good',
    label: 'Good',
    keys: ['1', 'g'],
    scope: 'annotate',
    decides: true,
  },
  { id: 'judge.bad', name: 'Judge the caption bad', label: 'Bad', keys: ['2', 'b'], scope: 'annotate', decides: true },
  {
    id: 'judge.unsure',
    name: 'Leave the caption unsure',
    label: 'Unsure',
    keys: ['3', 'u'],
    scope: 'annotate',
    decides: true,
  },
  {
    id: 'caption.next',
    name: 'Go to the next caption',
    label: 'Next',
    keys: ['ArrowDown', 'ArrowRight'],
    scope: 'annotate',
  },
  {
    id: 'caption.previous',
    name: 'Go to the caption before',
    label: 'Back',
    keys: ['ArrowUp', 'ArrowLeft'],
    scope: 'annotate',
  },
  { id: 'judge.undo', name: 'Undo the last judgment', label: 'Undo', keys: ['z'], scope: 'annotate', decides: true },
  {
    id: 'hit.submit',
    name: 'Submit and take the next photograph',
    label: 'Submit',
    keys: ['Enter'],
    scope: 'annotate',
    decides: true,
  },
  {
    id: 'hit.return',
    name: 'Hand this photograph back',
    label: 'Hand back',
    keys: [],
    scope: 'annotate',
    decides: true,
  },
  { id: 'guidelines.open', name: 'Read the guidelines', label: 'Guidelines', keys: ['i'], scope: 'annotate' },
  { id: 'photo.zoom-in', name: 'Zoom in', label: 'Zoom in', keys: ['+', '='], scope: 'annotate' },
  { id: 'photo.zoom-out', name: 'Zoom out', label: 'Zoom out', keys: ['-'], scope: 'annotate' },
  { id: 'photo.fit', name: 'Fit the photograph', label: 'Fit', keys: [' '], scope: 'annotate' },
] as const satisfies readonly ActionSpec[]

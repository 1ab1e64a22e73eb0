/** The words of the annotate page for what the server knows by short names. */
import type { AssignmentItem, Label, NextAssignment, SkipIn } from '@/lib/api/contract'

export type Edit = AssignmentItem['edits'][number]
export type EditKind = Edit['kind']
export type Lens = NonNullable<AssignmentItem['lens']>
export type SkipReason = SkipIn['reason']
/** Why there is no HIT for this person now. */
export type Reason = NonNullable<NextAssignment['reason']>

export const editKinds: readonly { kind: EditKind; name: string }[] = [
  { kind: 'color', name: 'Colour' },
  { kind: 'number', name: 'Number' },
  { kind: 'object_name', name: 'Name of a thing' },
  { kind: 'person', name: 'Person' },
  { kind: 'location', name: 'Place' },
  { kind: 'other', name: 'Something else' },
]

/** Each with a letter of its own: its first. */
export const lenses: readonly { lens: Lens; name: string; meaning: string }[] = [
  { lens: 'literal', name: 'Literal', meaning: 'It names what can be seen.' },
  { lens: 'figurative', name: 'Figurative', meaning: 'It says one thing and means another: a metaphor, a joke.' },
  { lens: 'emotional', name: 'Emotional', meaning: 'It says what one feels before the photograph.' },
  { lens: 'abstract', name: 'Abstract', meaning: 'It names an idea that the photograph stands for.' },
  { lens: 'background', name: 'Background', meaning: 'It says what one must know already.' },
]

export const lensName = (lens: Lens): string => lenses.find((each) => each.lens === lens)?.name ?? lens

export const skipReasons: readonly { reason: SkipReason; name: string }[] = [
  { reason: 'cannot_tell', name: 'I cannot tell what is right' },
  { reason: 'cannot_see', name: 'The picture cannot be seen' },
  { reason: 'language', name: 'The language is not mine' },
  { reason: 'disturbing', name: 'I would rather not look at this' },
  { reason: 'broken', name: 'Something is broken' },
  { reason: 'other', name: 'Something else' },
]

const usual: readonly Label[] = ['good', 'bad', 'unsure']

/** The labels in the order drawn for this assignment. */
export const optionsOf = (options: readonly Label[]): readonly Label[] => (options.length === 3 ? options : usual)

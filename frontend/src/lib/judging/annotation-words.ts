/** The words of the annotate page for what the server knows by short names. */
import type { AssignmentItem, Label, NextAssignment, SkipIn } from '@/lib/api/contract'
import { t } from '@/messages/judging'

export type Edit = AssignmentItem['edits'][number]
export type EditKind = Edit['kind']
export type Lens = NonNullable<AssignmentItem['lens']>
export type SkipReason = SkipIn['reason']
/** Why there is no HIT for this person now. */
export type Reason = NonNullable<NextAssignment['reason']>

export const editKinds: readonly { kind: EditKind; name: string }[] = [
  { kind: 'color', name: t.colour },
  { kind: 'number', name: t.number },
  { kind: 'object_name', name: t.nameOfThing },
  { kind: 'person', name: t.person },
  { kind: 'location', name: t.place },
  { kind: 'other', name: t.somethingElse },
]

/** A kind that this page does not know yet keeps the server's short name. */
export const editKindName = (kind: string): string => editKinds.find((each) => each.kind === kind)?.name ?? kind

/** Each with a letter of its own: its first. `said` is its name inside a sentence. */
export const lenses: readonly { lens: Lens; name: string; said: string; meaning: string }[] = [
  { lens: 'literal', name: t.literal, said: t.saidLiteral, meaning: t.literalMeaning },
  { lens: 'figurative', name: t.figurative, said: t.saidFigurative, meaning: t.figurativeMeaning },
  { lens: 'emotional', name: t.emotional, said: t.saidEmotional, meaning: t.emotionalMeaning },
  { lens: 'abstract', name: t.abstract, said: t.saidAbstract, meaning: t.abstractMeaning },
  { lens: 'background', name: t.background, said: t.saidBackground, meaning: t.backgroundMeaning },
]

export const lensName = (lens: Lens): string => lenses.find((each) => each.lens === lens)?.name ?? lens

export const lensInSentence = (lens: Lens): string => lenses.find((each) => each.lens === lens)?.said ?? lens

export const skipReasons: readonly { reason: SkipReason; name: string }[] = [
  { reason: 'cannot_tell', name: t.cannotTell },
  { reason: 'cannot_see', name: t.cannotSee },
  { reason: 'language', name: t.notMyLanguage },
  { reason: 'disturbing', name: t.disturbing },
  { reason: 'broken', name: t.broken },
  { reason: 'other', name: t.somethingElse },
]

const usual: readonly Label[] = ['good', 'bad', 'unsure']

/** The labels in the order drawn for this assignment. */
export const optionsOf = (options: readonly Label[]): readonly Label[] => (options.length === 3 ? options : usual)

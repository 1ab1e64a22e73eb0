import type { EditKind } from './annotation-words'

/** A caption being edited: what stands in the field, and the kinds chosen so far, by `changeKey`. */
export interface Writing {
  text: string
  kinds: Readonly<Record<string, EditKind>>
}

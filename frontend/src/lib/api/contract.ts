/** The shapes the API speaks, generated from the server's schema, under the names the front end uses. */
import type { components } from './schema'

type Schemas = components['schemas']

export type Label = Schemas['Label']
export type Role = Schemas['Role']
export type ThemeName = Schemas['Theme']
export type LanguageName = Schemas['LanguageChoice']
export type Preferences = Schemas['PreferencesOut']
export type Me = Schemas['MeOut']
export type Session = Schemas['SessionOut']
export type Project = Schemas['ProjectOut']
export type ProjectCounts = Schemas['ProjectCountsOut']
export type Thumbnail = Schemas['ThumbnailOut']
export type Thumbnails = Schemas['ThumbnailsOut']
export type Assignment = Schemas['AssignmentOut']
export type AssignmentItem = Schemas['AssignmentItemOut']
export type HitPreview = Schemas['HitPreviewOut']
export type NextAssignmentIn = Schemas['AssignmentNextInRequest']
export type NextAssignment = Schemas['NextAssignmentOut']
export type JudgmentIn = Schemas['JudgmentInRequest']
export type SubmitIn = Schemas['AssignmentSubmitInRequest']
export type Submitted = Schemas['AssignmentSubmitOut']
export type SkipIn = Schemas['AssignmentSkipInRequest']
export type AssignmentSuggestions = Schemas['AssignmentSuggestionsOut']
export type SuggestedEdit = Schemas['SuggestedEditOut']
export type Progress = Schemas['ProgressOut']

/** One page of a list; `next` is the address of the following one. */
export interface Page<Item> {
  next: string | null
  previous: string | null
  results: Item[]
}

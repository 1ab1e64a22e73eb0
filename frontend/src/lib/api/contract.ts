/** The shapes the API speaks, named for the rest of the front end. */

export type Label = 'good' | 'bad' | 'unsure'
export type Role = 'curator' | 'head_annotator' | 'annotator'
export type ThemeName = 'system' | 'light' | 'dark' | 'contrast'

export interface Preferences {
  theme: ThemeName
  /** Action id -> the key this person chose for it. */
  keys: Record<string, string>
}

export interface Me {
  id: number
  username: string
  email: string
  display_name: string
  is_staff: boolean
  preferences: Preferences
}

export interface Session {
  user: Me | null
  sign_up_open: boolean
}

export interface Page<Item> {
  next: string | null
  previous: string | null
  results: Item[]
}

export interface ProjectCounts {
  images: number
  candidates: number
  kept: number
  hits: number
  judgments: number
  releases: number
}

export interface Project {
  slug: string
  name: string
  direction: 'captions_of_image' | 'images_of_query'
  guidelines: string
  overlap: number
  captions_per_hit: number
  lease_minutes: number
  role: Role
  version: number
  created_at: string
  counts: ProjectCounts
}

export interface Thumbnail {
  url: string
  width: number
  height: number
}

export interface Thumbnails {
  small: Thumbnail
  large: Thumbnail
}

export interface AssignmentItem {
  position: number
  text: string
  label: Label | null
}

export interface Assignment {
  id: string
  expires_at: string
  image: { alt: string; thumbnail: Thumbnails }
  items: AssignmentItem[]
  guidelines_version: number
}

export interface NextAssignment {
  assignment: Assignment | null
  reason: 'none_left' | 'all_yours_done' | null
}

export interface JudgmentIn {
  position: number
  label: Label
  ms?: number
}

export interface SubmitIn {
  judgments: JudgmentIn[]
  fetch_next?: boolean
}

export interface Submitted {
  submitted_at: string
  next: Assignment | null
  /** Why `next` is null. */
  reason: NextAssignment['reason']
}

export interface Progress {
  mine: { submitted_today: number; submitted_total: number; judgments_total: number }
  project: { hits: number; assignments_needed: number; assignments_submitted: number }
}

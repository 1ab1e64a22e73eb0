import type { ImageFilter } from '@/lib/images/get-images'
import { t } from '@/messages/catalogue'

type State = NonNullable<ImageFilter['state']>
type Sort = NonNullable<ImageFilter['sort']>

export const states: readonly { state: State; name: string }[] = [
  { state: 'selected', name: t.stateSelected },
  { state: 'disputed', name: t.stateDisputed },
  { state: 'unjudged', name: t.stateUnjudged },
  { state: 'short_pool', name: t.stateShortPool },
  { state: 'in_no_task', name: t.stateInNoTask },
]

export const sorts: readonly { value: Sort; label: string }[] = [
  { value: 'oldest', label: t.sortOldest },
  { value: 'newest', label: t.sortNewest },
  { value: 'name', label: t.sortName },
  { value: 'disputes', label: t.sortDisputes },
]

/** What stands behind the question mark of the gallery's address. */
export function readFilter({ q, state, sort, images }: Readonly<Record<string, unknown>>): ImageFilter {
  const known = states.find((each) => each.state === state)?.state
  const order = sorts.find(({ value }) => value === sort)?.value
  // One id alone comes out of an address as a number.
  const ids = typeof images === 'number' ? String(images) : typeof images === 'string' ? images : ''
  const named = /^\d{1,18}(,\d{1,18}){0,499}$/.exec(ids)?.[0]
  return {
    ...(named && { images: named }),
    ...((typeof q === 'string' || typeof q === 'number') && q !== '' && { q: String(q).slice(0, 100) }),
    ...(known && { state: known }),
    ...(order && order !== 'oldest' && { sort: order }),
  }
}

const last = new Map<string, ImageFilter>()

/** The filter by which somebody came from the gallery to an image: the next image is the next of these. */
export const rememberFilter = (slug: string, filter: ImageFilter): void => void last.set(slug, filter)
export const lastFilter = (slug: string): ImageFilter => last.get(slug) ?? {}

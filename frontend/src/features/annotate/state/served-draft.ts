import type { Assignment } from '@/lib/api/contract'
import type { ServedDraft } from '../api/draft'
import { type Answer, noAnswer, type SavedWork } from './judging'

type ServedAnswer = NonNullable<ServedDraft['work']['items'][number]['answer']>

/** Work in progress in the shape of the server. */
export function servedOf({ items }: Assignment, work: SavedWork, savedAt: number): ServedDraft {
  const touched = items.flatMap(({ position }) => {
    const answer = work.answers[position]
    const unfinished = work.unfinished[position] ?? null
    return answer || unfinished ? [{ position, answer: answer ? servedAnswer(answer) : null, unfinished }] : []
  })
  return { work: { items: touched, current: work.current ?? 0 }, saved_at: new Date(savedAt).toISOString() }
}

const servedAnswer = ({ isGeneric, edits, ...rest }: Answer): ServedAnswer => ({
  ...rest,
  edits: [...edits],
  is_generic: isGeneric,
})

/** The same back; null where nothing is said in it. */
export function workOf({ work: { items, current } }: ServedDraft): SavedWork | null {
  if (items.length === 0) return null
  const answers = items.flatMap(({ position, answer }) => (answer ? [[position, answerOf(answer)] as const] : []))
  const unfinished = items.flatMap((item) => (item.unfinished ? [[item.position, item.unfinished] as const] : []))
  return { answers: Object.fromEntries(answers), unfinished: Object.fromEntries(unfinished), current }
}

const answerOf = ({ is_generic: isGeneric, ...rest }: ServedAnswer): Answer => ({ ...noAnswer, ...rest, isGeneric })

import { type ApiError, asApiError } from '@/lib/api/api-error'
import type { Assignment, JudgmentIn } from '@/lib/api/contract'
import { reviseJudgment } from '@/lib/judging/revise-judgment'
import { t } from '@/messages/annotate'
import { judgmentsOf, startJudging } from './judging'

/** The state of the changes to a HIT that was sent before. */
export interface Revised {
  nChanged: number
  /** What the server refused, in its words; the other answers are changed. */
  refusals: readonly string[]
}

/** What is said otherwise now than the server holds. */
export function changesOf(sent: Assignment, judgments: readonly JudgmentIn[]): JudgmentIn[] {
  const held = new Map(judgmentsOf(startJudging(sent.items, null)).map((each) => [each.position, substance(each)]))
  return judgments.filter((each) => held.get(each.position) !== substance(each))
}

const substance = ({ label, lens, comment, is_generic, edits = [] }: JudgmentIn): string =>
  JSON.stringify([
    label,
    lens,
    comment,
    is_generic,
    edits.map(({ start, end, kind, before, after }) => [start, end, kind, before, after]),
  ])

/**
 * Sends the changes one by one. What the review has closed is told and keeps no other back. Throws ApiError where
 * asking again may help: what has arrived by then is no change any more when it is sent again.
 */
export async function revise(id: string, changes: readonly JudgmentIn[]): Promise<Revised> {
  const refused = new Map<string, number[]>()
  let nChanged = 0
  for (const change of changes) {
    const refusal = await refusalOf(reviseJudgment(id, change))
    if (refusal) refused.set(refusal.message, [...(refused.get(refusal.message) ?? []), change.position])
    else nChanged += 1
  }
  return { nChanged, refusals: [...refused].map(refusedWords) }
}

/** What was refused for one reason, as all of a closed page is, is told once. */
const refusedWords = ([message, positions]: [string, number[]]): string =>
  t.numbersRefused({ n: positions.length, numbers: positions.join(', '), message })

async function refusalOf(asked: Promise<unknown>): Promise<ApiError | null> {
  try {
    await asked
    return null
  } catch (thrown) {
    const error = asApiError(thrown)
    if (error.isPassing || error.isSignedOut) throw error
    return error
  }
}

export function revisedWords({ nChanged, refusals }: Revised): string {
  if (refusals.length === 0 && nChanged === 0) return t.nothingChangedStays
  const changed = nChanged > 0 ? t.judgmentsChanged({ nChanged }) : t.nothingChanged
  return [changed, ...refusals].join(' ')
}

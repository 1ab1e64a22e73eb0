import type { DifficultyPolicy, DifficultySummary } from '@/lib/api/served'
import { t } from '@/messages/difficulty'

export const categories = ['hard', 'medium', 'easy', 'unrated', 'not_asked'] as const
export type Slice = (typeof categories)[number]

export const categoryWords: Record<Slice, string> = {
  hard: t.hard,
  medium: t.medium,
  easy: t.easy,
  unrated: t.unrated,
  not_asked: t.notAsked,
}

/** The same colours on the whole page. The words stand beside them. */
export const categoryColours: Record<Slice, string> = {
  hard: 'var(--curve-3)',
  medium: 'var(--curve-2)',
  easy: 'var(--curve-1)',
  unrated: 'var(--line-strong)',
  not_asked: 'var(--line)',
}

const ruleNames: Record<DifficultyPolicy['policy'], string> = {
  unanimous: t.ruleUnanimous,
  'hard<=1': t.ruleOneYes,
  'easy>=n-1': t.ruleOneNo,
  'hard<=1,easy>=n-1': t.ruleOneEach,
  'hard<=2,easy>=n-1': t.ruleTwoYesOneNo,
  'hard<=2,easy>=n-2': t.ruleTwoEach,
  majority: t.ruleMajority,
}

export const ruleName = (policy: DifficultyPolicy['policy']): string => ruleNames[policy]

/** "0–1 | 2–5 | 6–7": the yes votes of hard, medium and easy. */
export const cutsInWords = ({ cuts }: DifficultyPolicy): string =>
  [cuts.hard, cuts.medium, cuts.easy].map(spanInWords).join(' | ')

function spanInWords(span: number[] | null): string {
  const [from, to] = span ?? []
  if (from === undefined || to === undefined) return '–'
  return from === to ? String(from) : `${String(from)}–${String(to)}`
}

export interface SliceRow {
  slice: Slice
  n: number
  share: number
}

/** The captions of each category under one rule; empty categories have no row, but the three always do. */
export function slicesOf({ counts }: DifficultyPolicy): SliceRow[] {
  const all = categories.reduce((sum, slice) => sum + counts[slice], 0)
  return categories
    .filter((slice) => counts[slice] > 0 || slice === 'hard' || slice === 'medium' || slice === 'easy')
    .map((slice) => ({ slice, n: counts[slice], share: all === 0 ? 0 : counts[slice] / all }))
}

export const ruleInUse = (summary: DifficultySummary): DifficultyPolicy | undefined =>
  summary.policies.find(({ is_used: isUsed }) => isUsed)

/** The seven models of the papers by their names in open_clip; the last one decides ties. */
export const paperModels = [
  'RN50/openai',
  'RN101/openai',
  'ViT-B-32/openai',
  'ViT-B-16/openai',
  'ViT-L-14/openai',
  'ViT-L-14-336/openai',
  'ViT-g-14/laion2b_s12b_b42k',
] as const

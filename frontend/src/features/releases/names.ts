import { t as judging } from '@/messages/judging'
import { t } from '@/messages/releases'

/** What the codes of figures and filters are called. A name that is missing is shown as it is: of a source, a licence. */
export const difficultyNames = {
  easy: t.easy,
  medium: t.medium,
  hard: t.hard,
  unrated: t.unrated,
  not_asked: t.notAsked,
} as const

export const lensNames = {
  literal: judging.literal,
  figurative: judging.figurative,
  emotional: judging.emotional,
  abstract: judging.abstract,
  background: judging.background,
} as const

export const splitNames = { train: t.train, validation: t.validation, test: t.test } as const

export const labelNames: Readonly<Record<string, string>> = { good: t.good, bad: t.bad, unsure: t.unsure }

import type { Label } from '@/lib/api/contract'

/** The answers of one day, UTC. */
export interface AnswerDay {
  day: string
  labels: Readonly<Record<Label, number>>
}

export const labels: readonly Label[] = ['good', 'bad', 'unsure']

export const labelColours: Record<Label, string> = {
  good: 'var(--good)',
  bad: 'var(--bad)',
  unsure: 'var(--unsure)',
}

export const totalOf = (counts: AnswerDay['labels']): number => counts.good + counts.bad + counts.unsure

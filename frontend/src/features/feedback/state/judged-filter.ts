import type { Label } from '@/lib/api/contract'

/** What narrows the list of one person's answers. */
export interface JudgedFilter {
  label: Label | ''
  isDisagreeing: boolean
  isCommented: boolean
}

export const everything: JudgedFilter = { label: '', isDisagreeing: false, isCommented: false }

export const labels: readonly Label[] = ['good', 'bad', 'unsure']

/** The filter that the address names; what is unknown is left out. */
export function readJudgedFilter({ label, outvoted, commented }: Readonly<Record<string, unknown>>): JudgedFilter {
  return {
    label: labels.find((each) => each === label) ?? '',
    isDisagreeing: outvoted === 1,
    isCommented: commented === 1,
  }
}

export function judgedSearch({ label, isDisagreeing, isCommented }: JudgedFilter): Record<string, string | number> {
  return { ...(label && { label }), ...(isDisagreeing && { outvoted: 1 }), ...(isCommented && { commented: 1 }) }
}

export const isNarrowed = ({ label, isDisagreeing, isCommented }: JudgedFilter): boolean =>
  label !== '' || isDisagreeing || isCommented

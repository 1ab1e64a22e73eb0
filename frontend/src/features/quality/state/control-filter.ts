import type { ControlFilter } from '../api/controls'

export type ControlState = Exclude<ControlFilter, ''>

export const controlStates: readonly ControlState[] = ['active', 'quarantined', 'retired']

/** The filter that an address names, if it names one. */
export const readControlState = (typed: unknown): ControlState | null =>
  controlStates.find((each) => each === typed) ?? null

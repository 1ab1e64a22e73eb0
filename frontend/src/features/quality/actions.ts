import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/quality'

/** The verbs of the quality page; each is at hand on its own tab. */
export const qualityActions = [
  { id: 'quality.refresh', name: t.refreshFigures, label: t.refresh, keys: ['r'], scope: 'quality' },
] as const satisfies readonly ActionSpec[]

export const agreementActions = [
  { id: 'judgments.import', name: t.importJudgments, label: t.importJudgments, keys: [], scope: 'quality' },
] as const satisfies readonly ActionSpec[]

export const policyActions = [
  { id: 'policy.new', name: t.writeVersion, label: t.newVersion, keys: ['n'], scope: 'quality' },
] as const satisfies readonly ActionSpec[]

export const controlActions = [
  { id: 'control.add', name: t.addControl, label: t.addControl, keys: ['a'], scope: 'quality' },
  { id: 'control.import', name: t.importFromFile, label: t.import, keys: [], scope: 'quality' },
] as const satisfies readonly ActionSpec[]

import type { Stage, StageParameter } from '@/lib/api/served'
import { t } from '@/messages/runs'

export type ParameterValue = string | number
export type ParameterValues = Record<string, ParameterValue>

/** Where an import reads from; the import form asks for these in its own way. */
const sourceNames = new Set(['source', 'upload', 'layout'])

export const isImport = (stage: Stage): boolean => stage.parameters.some(({ name }) => name === 'upload')

export const formParameters = (stage: Stage): StageParameter[] =>
  stage.parameters.filter(({ name }) => !sourceNames.has(name))

const isValue = (value: unknown): value is ParameterValue => typeof value === 'string' || typeof value === 'number'

/** Each run says its own of these: another corpus, other captions or images are meant than last time. */
const saidAnew = new Set(['corpus', 'captions', 'images'])

/** What the form starts with: what was asked for, else what was used last time, else the stage's default. */
export function startingValues(stage: Stage, asked: ParameterValues = {}): ParameterValues {
  const last = stage.last_run?.parameters ?? {}
  const entries = formParameters(stage).map(({ name, default: standard }): [string, ParameterValue] => {
    const used = asked[name] ?? (saidAnew.has(name) ? undefined : last[name])
    if (isValue(used)) return [name, used]
    return [name, isValue(standard) ? standard : '']
  })
  return Object.fromEntries(entries)
}

/** "min_words" -> "Min words". */
export function parameterTitle(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** "Shortest caption (words)", "Images to pick (of 16)". */
export function fieldLabel({ label, unit, out_of }: StageParameter): string {
  const aside = out_of === null ? unit : t.outOf({ total: out_of })
  return aside ? `${label} (${aside})` : label
}

/** How many digits a person types behind the point, for a number that is kept `scale` times larger. */
export const digitsOf = ({ scale }: StageParameter): number => Math.round(Math.log10(scale))

/** A choice as people know it; one that is new to this page, as the server writes it. */
export const choiceTitle = (choice: string): string => choices[choice]?.() ?? choice

const choices: Record<string, (() => string) | undefined> = {
  majority: () => t.choiceMajority,
  dawid_skene: () => t.choiceDawidSkene,
  mace: () => t.choiceMace,
  unanimous: () => t.choiceUnanimous,
  'hard<=1': () => t.choiceHardUpToOne,
  clustering: () => t.choiceClustering,
  knn: () => t.choiceKnn,
  vision: () => t.choiceVision,
  hash: () => t.choiceHash,
  all: () => t.choiceAll,
  new: () => t.choiceNew,
  kmeans: () => t.choiceKmeans,
  least_alike: () => t.choiceLeastAlike,
  all_images: () => t.choiceAllImages,
  short_pools: () => t.choiceShortPools,
}

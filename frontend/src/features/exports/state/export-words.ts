import type { LabelLooks } from '@/components/ui/label-looks'
import type { Export, ExportFormat, ExportKind, LeftOut } from '@/lib/api/served'
import { t } from '@/messages/exports'

export const kindNames: Readonly<Record<ExportKind, string>> = {
  judgments: t.answers,
  captions: t.captions,
  annotators: t.annotators,
  agreement: t.agreement,
  release: t.release,
}

export const formatNames: Readonly<Record<ExportFormat, string>> = {
  jsonl: t.jsonLines,
  csv: 'CSV',
  parquet: 'Parquet',
  files: t.allFiles,
  webdataset: 'WebDataset',
  coco: 'COCO',
  karpathy: 'Karpathy',
  'label-studio': t.labelStudio,
  'crowd-kit': 'Crowd-Kit',
  conqa: 'ConQA',
}

const tables = ['csv', 'jsonl', 'parquet'] as const

/** The formats of each kind; the server refuses all others. */
export const formatsOf: Readonly<Record<ExportKind, readonly ExportFormat[]>> = {
  judgments: [...tables, 'label-studio', 'crowd-kit', 'conqa'],
  captions: tables,
  annotators: tables,
  agreement: tables,
  release: ['files', ...tables, 'webdataset', 'coco', 'karpathy', 'label-studio', 'crowd-kit', 'conqa'],
}

const withFilter: readonly ExportFormat[] = [...tables, 'webdataset', 'coco', 'karpathy']

export interface FilterField {
  name: 'label' | 'difficulty'
  label: string
  choices: readonly { value: string; label: string }[]
}

const labelsIn = ({ good, bad, unsure }: LabelLooks) => [
  { value: '', label: t.all },
  { value: 'good', label: good.word },
  { value: 'bad', label: bad.word },
  { value: 'unsure', label: unsure.word },
]
const difficulties = [
  { value: '', label: t.all },
  { value: 'easy', label: t.easy },
  { value: 'medium', label: t.medium },
  { value: 'hard', label: t.hard },
]

/** The filter that the form offers for an export; the API has more. */
export function filterOf(what: ExportKind, format: ExportFormat, looks: LabelLooks): FilterField | undefined {
  if (!withFilter.includes(format)) return undefined
  if (what === 'release') return { name: 'difficulty', label: t.difficulty, choices: difficulties }
  if (what === 'judgments' && tables.includes(format as 'csv'))
    return { name: 'label', label: t.label, choices: labelsIn(looks) }
  if (what === 'captions') return { name: 'label', label: t.finalLabel, choices: labelsIn(looks) }
  return undefined
}

export const leftOutNames: Readonly<Record<LeftOut, string>> = {
  times: t.times,
  comments: t.comments,
  seconds: t.seconds,
  lenses: t.lenses,
  edits: t.edits,
  order: t.order,
  rejected: t.rejected,
}

export const stateNames: Readonly<Record<Export['state'], string>> = {
  queued: t.queued,
  running: t.running,
  ready: t.ready,
  failed: t.failed,
  cancelled: t.cancelled,
  expired: t.expired,
}

export function nameOf({ what, format, release_version }: Export): string {
  const of = release_version ? t.releaseVersion({ version: release_version }) : kindNames[what]
  return t.asFormat({ what: of, format: formatNames[format] })
}

/** The server's figures of agreement and of people, under the names the front end uses. */
import type { components } from './schema'
import type { Annotator } from './served'

type Schemas = components['schemas']

export type Share = Schemas['ShareOfOut']
export type Person = Schemas['AgreementPersonOut']
export type Headline = Schemas['HeadlineOut']
export type TrendDay = Schemas['TrendPointOut']
export type PairPage = Schemas['TwoAnnotatorsOut']
export type SharedPair = Schemas['SharedPairOut']
export type Confusions = Schemas['ConfusionListOut']
export type Confusion = Schemas['ConfusionOut']
export type PersonFigures = Schemas['AnnotatorFiguresOut']
export type PersonDay = Schemas['AnnotatorDayOut']
export type PositionTest = Schemas['PositionTestOut']
export type ReviewedAnnotator = Schemas['PagesOfPersonOut']

/** Rows and columns in the order good, bad, unsure. */
export type LabelTable = number[][]

export interface Estimate {
  value: number | null
  low: number | null
  high: number | null
}

export interface EffectRow {
  annotator: Person
  kind: string
  before: Share | null
  after: Share | null
  difference: Estimate | null
  n: number
}

export interface Measure {
  collector: string
  points: { annotator: Person; value: number; n: number }[]
}

export interface Flag {
  code: string
  params: Record<string, number>
}

/** A row of the table of annotators with what a worker calculated of them. */
export type AnnotatorRow = Annotator & {
  flags?: Flag[]
  pace?: number | null
  active_seconds?: number | null
  n_judgments?: number
  with_consensus?: Share | null
  kappa?: Estimate | null
  trend?: { day: string; n: number; with_consensus: Share | null }[]
}

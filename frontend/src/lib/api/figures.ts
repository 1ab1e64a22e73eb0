/** The server's figures of agreement and of people, under the names the front end uses. */
import type { components } from './schema'
import type { Annotator } from './served'

type Schemas = components['schemas']

export type Share = Schemas['ShareOut']
export type Person = Schemas['NamedPersonOut']
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

export type Habits = Schemas['HabitsOut']
export type Measure = Schemas['MeasureOut']

export type Flag = Schemas['AnnotatorFlagOut']

/** A row of the table of annotators, with what a worker calculated of them. */
export interface AnnotatorRow extends Annotator {
  habits?: Habits | undefined
}

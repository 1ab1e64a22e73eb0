/** What the server tells about benchmarks, from its schema. */
import type { components } from '@/lib/api/schema'

type Schemas = components['schemas']

export type Task = Schemas['BenchmarkTask']
export type QueryDirection = Schemas['QueryDirection']
export type Metric = Schemas['MetricOut']
export type Difference = Schemas['DifferenceOut']
export type Cell = Schemas['CellOut']
export type Category = Schemas['CategoryOut']
export type MeasuredRow = Schemas['EvaluationRowOut']
export type Leaderboard = Schemas['LeaderboardOut']
export type Published = Schemas['PublishedOut']
export type PublishedRow = Schemas['PublishedRowOut']
export type RankCount = Schemas['RankGroupOut']
export type Item = Schemas['ItemOut']
export type Answer = Schemas['ModelAnswerOut']
export type QueryRow = Schemas['RankedQueryOut']
export type ComparedQuery = Schemas['ComparedQueryOut']
export type Comparison = Schemas['ComparisonOut']

export interface Figure {
  value: number | null
  low: number | null
  high: number | null
  n: number
}

/** What of result.json the pages read. The server has checked it against the schema of results. */
export interface Result {
  metrics: Record<string, Record<string, Figure>>
  ties: Record<string, unknown>
  dropped: Record<string, { n: number; reason: string }>
  data: { digest: string; images: number; texts: number; pairs: number }
  model: Record<string, unknown>
  settings: Record<string, unknown>
  versions: Record<string, unknown>
}

export type Evaluation = Omit<Schemas['EvaluationOut'], 'result'> & { result: Result }

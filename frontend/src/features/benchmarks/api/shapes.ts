/** What the server tells about benchmarks. */
export interface Metric {
  /** `image_to_text.hit@1`: the key of a cell. */
  name: string
  /** `image_to_text`, `text_to_image`, `pairs` or `both`. */
  direction: string
  measure: string
  is_percent: boolean
  is_headline: boolean
  is_low_better: boolean
}

export interface Difference {
  value: number
  low: number | null
  high: number | null
  is_real: boolean
}

export interface Cell {
  value: number | null
  low: number | null
  high: number | null
  n: number | null
  difference?: Difference | null
}

export interface Category {
  name: string
  field: string
  value: string
}

export interface MeasuredRow {
  id: string
  model: string
  kind: string
  digest: string
  source: 'run' | 'import'
  created_at: string
  created_by: string | null
  note: string
  is_of_release: boolean
  n_images: number
  n_texts: number
  has_queries: boolean
  run: string | null
  not_run: { reason: string; n: number } | null
  cells: Record<string, Cell>
}

export interface Leaderboard {
  release: { id: string; label: string }
  task: string
  tasks: { name: string; n: number }[]
  category: string
  categories: Category[]
  metrics: Metric[]
  reference: string | null
  is_complete: boolean
  rows: MeasuredRow[]
}

export interface PublishedRow {
  /** The ID of the table. */
  table: string
  model: string
  dataset: string
  cells: Record<string, number>
}

export interface Published {
  datasets: string[]
  tables: { id: string; name: string; published_in: string; created_at: string; n_rows: number }[]
  rows: PublishedRow[]
}

export interface Figure {
  value: number | null
  low: number | null
  high: number | null
  n: number
}

/** What of a result file the pages read. */
export interface Result {
  metrics: Record<string, Record<string, Figure>>
  ties: Record<string, unknown>
  dropped: Record<string, { n: number; reason: string }>
  data: { kind: string; name: string; digest: string; images: number; texts: number; pairs: number }
  model: Record<string, unknown>
  settings: Record<string, unknown>
  versions: Record<string, unknown>
}

export interface Evaluation extends MeasuredRow {
  task: string
  release: { id: string; label: string; project: string }
  result: Result
  metrics: Metric[]
  curves: Record<string, [number, number][]>
  categories: (Category & { cells: Record<string, Cell> })[]
  ranks: Record<string, RankCount[]>
  files: { name: string; url: string }[]
}

/** How many right items have a rank of these; `to` is empty where the ranks have no end. */
export interface RankCount {
  from: number
  to: number | null
  n: number
}

export interface Item {
  kind: 'image' | 'text'
  id: string
  image_url: string | null
  text: string | null
  is_withdrawn: boolean
}

export interface Answer {
  ranks: (number | null)[]
  ties: boolean
  best_wrong: Item | null
}

export interface QueryRow extends Answer {
  query: Item
  right: Item[]
}

export interface Listed<Each> {
  next: string | null
  previous: string | null
  total: number
  direction: string
  directions: string[]
  results: Each[]
}

export interface ComparedQuery {
  query: Item
  right: Item[]
  a: Answer
  b: Answer
}

export interface Comparison extends Listed<ComparedQuery> {
  a: { id: string; model: string }
  b: { id: string; model: string }
  n_a_better: number
  n_b_better: number
  n_equal: number
  differences: Record<string, Difference>
}

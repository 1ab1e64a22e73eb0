import { type ReactNode, useState } from 'react'
import { FilterSelect } from '@/components/ui/filter-select'
import type { TableSort } from '@/components/ui/table'
import type { Release } from '@/lib/api/served'
import { t } from '@/messages/benchmarks'
import { usePublished } from '../api/get-benchmarks'
import type { Leaderboard, Metric } from '../api/shapes'
import type { BenchmarkAsked } from '../state/asked'
import { ofMeasured, ofPublished } from '../state/board'
import { categoryName, directionName, inOrder, metricTitle, sortRows, taskNames } from '../state/metrics'
import styles from './benchmarks.module.css'
import { Board } from './board'

export interface LeaderboardViewProps {
  slug: string
  data: Leaderboard
  releases: readonly Release[]
  asked: BenchmarkAsked
  onAsk: (asked: BenchmarkAsked) => void
  isCurator: boolean
  /** What is shown where no model is measured. */
  empty: ReactNode
}

const all = 'all'

const byName: TableSort = { column: 'model', isDescending: false }

const sortBy = (metric: Metric): TableSort => ({ column: metric.name, isDescending: !metric.is_low_better })

/** Models by metrics, and what of them is shown. */
export function LeaderboardView(props: LeaderboardViewProps) {
  const { slug, data, releases, asked, onAsk, isCurator, empty } = props
  const [wantedDirection, setDirection] = useState<string | null>(null)
  const [wanted, setSort] = useState<TableSort | null>(null)
  const [dataset, setDataset] = useState('')
  const published = usePublished(slug, data.release.id, dataset).data
  const directions = [...new Set(data.metrics.map((each) => each.direction))].filter((each) => each !== 'both')
  const direction = directions.find((each) => each === wantedDirection) ?? directions[0] ?? ''
  const metrics = data.metrics.filter((each) => each.direction === direction || each.direction === 'both')
  const first = metrics.find((each) => each.is_headline) ?? metrics[0]
  const sorted = metrics.find((each) => each.name === wanted?.column) ?? first
  const isKept = wanted && (wanted.column === 'model' || wanted.column === sorted?.name)
  const sort = isKept ? wanted : sorted ? sortBy(sorted) : byName
  const others = dataset && published ? published.rows : []
  const rows = sortRows(
    [
      ...data.rows.map(ofMeasured),
      ...others.map((row, place) => ofPublished(row, place, published?.tables ?? [])),
    ],
    sort,
  )
  const { release, task, category, reference } = asked
  const ofTask = { ...(release && { release }), ...(task && { task }) }
  const datasets = published?.datasets ?? []
  return (
    <>
      <div className={styles.filters}>
        <FilterSelect
          label={t.release}
          choices={releases.map(({ id, label }) => ({ value: id, label: t.releaseName({ label }) }))}
          value={data.release.id}
          onChange={(value) => onAsk({ ...(task && { task }), release: value })}
        />
        <FilterSelect
          label={t.task}
          choices={data.tasks.map(({ name, n }) => ({
            value: name,
            label: taskNames[name] ?? name,
            detail: t.nModels({ n }),
          }))}
          value={data.task}
          onChange={(value) => onAsk({ ...(release && { release }), task: value })}
        />
        {directions.length > 1 && (
          <FilterSelect
            label={t.direction}
            choices={directions.map((value) => ({ value, label: directionName(value) }))}
            value={direction}
            onChange={setDirection}
          />
        )}
        {data.categories.length > 0 && (
          <FilterSelect
            label={t.categoryField}
            all={all}
            choices={[
              { value: all, label: t.all },
              ...inOrder(data.categories).map((each) => ({ value: each.name, label: categoryName(each) })),
            ]}
            value={data.category || all}
            onChange={(value) =>
              onAsk({ ...ofTask, ...(reference && { reference }), ...(value !== all && { category: value }) })
            }
          />
        )}
        {data.rows.length > 1 && (
          <FilterSelect
            label={t.reference}
            all={all}
            choices={[{ value: all, label: t.none }, ...data.rows.map(({ id, model }) => ({ value: id, label: model }))]}
            value={data.reference ?? all}
            onChange={(value) =>
              onAsk({ ...ofTask, ...(category && { category }), ...(value !== all && { reference: value }) })
            }
          />
        )}
        {metrics.length > 1 && (
          <FilterSelect
            label={t.sortBy}
            choices={metrics.map((each) => ({ value: each.name, label: metricTitle(each) }))}
            value={sorted?.name ?? ''}
            onChange={(name) => {
              const metric = metrics.find((each) => each.name === name)
              if (metric) setSort(sortBy(metric))
            }}
          />
        )}
        {datasets.length > 0 && (
          <FilterSelect
            label={t.showPublished}
            all=""
            choices={[{ value: '', label: t.none }, ...datasets.map((value) => ({ value, label: value }))]}
            value={dataset}
            onChange={setDataset}
          />
        )}
      </div>
      {rows.length === 0 ? (
        empty
      ) : (
        <Board
          slug={slug}
          data={data}
          asked={asked}
          metrics={metrics.filter((each) => each.is_headline || each === sorted)}
          drawn={sorted}
          rows={rows}
          sort={sort}
          onSort={setSort}
          tables={published?.tables ?? []}
          isCurator={isCurator}
        />
      )}
    </>
  )
}

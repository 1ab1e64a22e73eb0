import { useState } from 'react'
import { FilterSelect } from '@/components/ui/filter-select'
import { MoreButton } from '@/components/ui/more-button'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { t } from '@/messages/benchmarks'
import { orders, type QueriesAsked, useQueries } from '../api/get-benchmarks'
import type { Evaluation } from '../api/shapes'
import { categoryName, directionName, inOrder } from '../state/metrics'
import { FirstItem, QueryView, RightItems } from './answer-view'
import styles from './benchmarks.module.css'

const orderNames = { best: t.best, worst: t.worst, surprising: t.surprising } as const
const queryDirections = ['image_to_text', 'text_to_image'] as const
const all = 'all'

/** The best, the worst and the most surprising queries of a model, with what it put first. */
export function QueryList({ evaluation }: { evaluation: Evaluation }) {
  const directions = queryDirections.filter((each) => evaluation.ranks[each])
  const [asked, setAsked] = useState<QueriesAsked>({ direction: directions[0], order: 'worst', category: '' })
  const { categories } = evaluation
  if (!evaluation.has_queries) return <p className={styles.note}>{t.noPerQuery}</p>
  return (
    <>
      <div className={styles.filters}>
        <FilterSelect
          label={t.order}
          choices={orders.map((value) => ({ value, label: orderNames[value] }))}
          value={asked.order}
          onChange={(order) => setAsked({ ...asked, order })}
        />
        {directions.length > 1 && (
          <FilterSelect
            label={t.direction}
            choices={directions.map((value) => ({ value, label: directionName(value) }))}
            value={asked.direction ?? null}
            onChange={(direction) => setAsked({ ...asked, direction, category: '' })}
          />
        )}
        {categories.length > 0 && (
          <FilterSelect
            label={t.categoryField}
            choices={[
              { value: all, label: t.all },
              ...inOrder(categories).map((each) => ({ value: each.name, label: categoryName(each) })),
            ]}
            value={asked.category || all}
            onChange={(category) => setAsked({ ...asked, category: category === all ? '' : category })}
          />
        )}
      </div>
      {asked.order === 'surprising' && <p className={styles.note}>{t.surprisingNote}</p>}
      <Rows id={evaluation.id} asked={asked} />
    </>
  )
}

function Rows({ id, asked }: { id: string; asked: QueriesAsked }) {
  const { data, error, isPending, refetch, ...pages } = useQueries(id, asked)
  if (isPending) return <Skeleton label={t.theQueries} rows={6} />
  if (error) return <ErrorState error={error} title={t.queriesNotShown} onRetry={() => void refetch()} />
  const rows = data.pages.flatMap((page) => page.results)
  if (rows.length === 0) return <p className={styles.note}>{t.noQueries}</p>
  return (
    <>
      <ol className={styles.queries} aria-label={t.queries}>
        {rows.map((row) => (
          <li key={row.query.id} className={styles.row}>
            <QueryView query={row.query} />
            <RightItems right={row.right} answer={row} />
            <FirstItem answer={row} />
          </li>
        ))}
      </ol>
      <MoreButton {...pages}>{t.more}</MoreButton>
    </>
  )
}

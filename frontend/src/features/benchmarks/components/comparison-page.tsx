import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FilterSelect } from '@/components/ui/filter-select'
import { MoreButton } from '@/components/ui/more-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import { t } from '@/messages/benchmarks'
import { type sides, useComparison, useLeaderboard, useReleaseChoices } from '../api/get-benchmarks'
import type { Leaderboard, MeasuredRow } from '../api/shapes'
import type { PairAsked } from '../state/asked'
import { categoryName, directionName, inOrder, taskNames } from '../state/metrics'
import { FirstItem, QueryView, RightItems } from './answer-view'
import styles from './benchmarks.module.css'
import { DifferenceGroups } from './difference-groups'

export interface ComparisonPageProps {
  project: Project
  asked: PairAsked
  onAsk: (asked: PairAsked) => void
}

/** Two models, query by query. */
export function ComparisonPage({ project, asked, onAsk }: ComparisonPageProps) {
  const releases = useReleaseChoices(project.slug)
  const release = asked.release ?? releases.data?.results[0]?.id
  return (
    <Page isWide>
      <Link
        to="/projects/$slug/benchmarks"
        params={{ slug: project.slug }}
        search={release ? { release } : {}}
        className={styles.back}
      >
        {t.backToList}
      </Link>
      <PageHeader title={t.comparison} lead={t.comparisonLead} />
      {release && <OfRelease slug={project.slug} releaseId={release} asked={asked} onAsk={onAsk} />}
    </Page>
  )
}

interface OfReleaseProps {
  slug: string
  releaseId: string
  asked: PairAsked
  onAsk: (asked: PairAsked) => void
}

function OfRelease({ slug, releaseId, asked, onAsk }: OfReleaseProps) {
  const { data, error, isPending, refetch } = useLeaderboard(slug, releaseId, asked.task ? { task: asked.task } : {})
  if (isPending) return <Skeleton label={t.theBenchmarks} rows={4} />
  if (error) return <ErrorState error={error} title={t.notShown} onRetry={() => void refetch()} />
  const models = data.rows.filter((row) => row.has_queries)
  const a = models.find(({ id }) => id === asked.a) ?? models[0]
  const b = models.find(({ id }) => id === asked.b) ?? models.find((each) => each !== a)
  if (!a || !b) return <p className={styles.note}>{t.onlyOne}</p>
  return <Pair key={releaseId} {...{ board: data, models, a, b, asked, onAsk }} />
}

interface PairProps {
  board: Leaderboard
  models: readonly MeasuredRow[]
  a: MeasuredRow
  b: MeasuredRow
  asked: PairAsked
  onAsk: (asked: PairAsked) => void
}

function Pair({ board, models, a, b, asked, onAsk }: PairProps) {
  const [order, setOrder] = useState<(typeof sides)[number]>('different')
  const { data, error, isPending, refetch, ...pages } = useComparison(a.id, b.id, {
    direction: asked.direction,
    category: asked.category,
    order,
  })
  const first = data?.pages[0]
  const directions = first?.directions ?? []
  const choices = models.map(({ id, model }) => ({ value: id, label: model }))
  const rows = data?.pages.flatMap((page) => page.results) ?? []
  const ask = (change: PairAsked) => onAsk({ ...asked, a: a.id, b: b.id, ...change })
  const tasks = board.tasks.filter(({ name, n }) => n > 1 && name !== 'auprc')
  return (
    <>
      <div className={styles.filters}>
        {tasks.length > 1 && (
          <FilterSelect
            label={t.task}
            choices={tasks.map(({ name }) => ({ value: name, label: taskNames[name] ?? name }))}
            value={board.task}
            onChange={(task) => onAsk({ ...(asked.release && { release: asked.release }), task })}
          />
        )}
        <FilterSelect label={t.firstModel} choices={choices} value={a.id} onChange={(id) => ask({ a: id })} />
        <FilterSelect label={t.secondModel} choices={choices} value={b.id} onChange={(id) => ask({ b: id })} />
        <FilterSelect
          label={t.order}
          choices={[
            { value: 'different', label: t.largestDifference },
            { value: 'a', label: t.isBetter({ model: a.model }) },
            { value: 'b', label: t.isBetter({ model: b.model }) },
          ]}
          value={order}
          onChange={setOrder}
        />
        {directions.length > 1 && (
          <FilterSelect
            label={t.direction}
            choices={directions.map((value) => ({ value, label: directionName(value) }))}
            value={first?.direction ?? null}
            onChange={(direction) => ask({ direction })}
          />
        )}
        {board.categories.length > 0 && (
          <FilterSelect
            label={t.categoryField}
            choices={[
              { value: '', label: t.all },
              ...inOrder(board.categories).map((each) => ({ value: each.name, label: categoryName(each) })),
            ]}
            value={asked.category ?? ''}
            onChange={(category) => ask({ category })}
          />
        )}
      </div>
      {a.id === b.id && <p className={styles.note}>{t.twoNeeded}</p>}
      {isPending && <Skeleton label={t.theQueries} rows={6} />}
      {error && !data && <ErrorState error={error} title={t.queriesNotShown} onRetry={() => void refetch()} />}
      {first && (
        <p className={styles.sum}>
          {t.whoIsBetter({ a: a.model, b: b.model, first: first.n_a_better, second: first.n_b_better, equal: first.n_equal })}
        </p>
      )}
      {first && <DifferenceGroups {...first} />}
      {rows.length > 0 && <h2 className={styles.title}>{t.byQuery}</h2>}
      {data && rows.length === 0 && <p className={styles.note}>{t.noQueries}</p>}
      <ol className={styles.queries} aria-label={t.comparison}>
        {rows.map((row) => (
          <li key={row.query.id} className={styles.row}>
            <QueryView query={row.query} />
            {[
              { model: a.model, answer: row.a },
              { model: b.model, answer: row.b },
            ].map(({ model, answer }, place) => (
              <div key={place} className={styles.part} role="group" aria-label={model}>
                <p className={styles.model}>{model}</p>
                <RightItems right={row.right} answer={answer} />
                <FirstItem answer={answer} />
              </div>
            ))}
          </li>
        ))}
      </ol>
      <MoreButton {...pages}>{t.more}</MoreButton>
    </>
  )
}

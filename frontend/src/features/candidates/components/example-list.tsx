import { useEffect, useRef } from 'react'
import { cx } from '@/components/ui/cx'
import { MoreButton } from '@/components/ui/more-button'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import type { Candidate, Example } from '@/lib/api/served'
import { useActiveRow } from '@/lib/layout/use-active-row'
import { useIntoView } from '@/lib/layout/use-into-view'
import { t } from '@/messages/candidates'
import { funnelActions } from '../actions'
import { useDecidedCandidate } from '../api/decide-candidate'
import { useExamples } from '../api/get-examples'
import { ruleWords } from '../state/rule-words'
import { ExampleView } from './example-view'
import styles from './funnel-page.module.css'

export interface ExampleListProps {
  slug: string
  rule: string
  source: string
  /** Whether a person asked for these examples; otherwise the page opens at its top. */
  isChosen: boolean
  onRestore: (candidate: Candidate) => void
  onDrop: (candidate: Candidate) => void
}

const fewest = 5
const mostPages = 20

/** What a rule did, caption by caption. */
export function ExampleList({ slug, rule, source, isChosen, onRestore, onDrop }: ExampleListProps) {
  const { data, error, isPending, refetch, ...pages } = useExamples(slug, rule, source)
  const decided = useDecidedCandidate(slug)
  const examples = (data?.pages ?? []).flatMap(({ results, asked_at }) =>
    results.map((example) => ({ ...example, candidate: decided(example.candidate, asked_at) })),
  )
  const { name, does } = ruleWords(rule)
  const nPages = data?.pages.length ?? 0
  const isThin = examples.length < fewest && nPages < mostPages
  useMoreExamples(isThin && pages.hasNextPage && !pages.isFetching && !pages.isFetchNextPageError, pages.fetchNextPage)
  const section = useRef<HTMLElement>(null)
  useIntoView(section, isChosen)
  return (
    <section ref={section} className={styles.examples} aria-label={t.examplesOf({ name })}>
      <h2 className={styles.examplesTitle}>{name}</h2>
      {does && <p className={styles.note}>{`${does.charAt(0).toUpperCase()}${does.slice(1)}.`}</p>}
      {isPending && <Skeleton label={t.examples} rows={5} />}
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && examples.length === 0 && !pages.hasNextPage && (
        <p className={styles.note}>{source ? t.noneLeftFromSource : t.noneLeft}</p>
      )}
      {examples.length > 0 && <Rows slug={slug} examples={examples} onRestore={onRestore} onDrop={onDrop} />}
      <MoreButton {...pages}>{t.moreExamples}</MoreButton>
    </section>
  )
}

/** Of captions that a rule may have repaired the first ones may all be another rule's: read on until there are some. */
function useMoreExamples(isWanted: boolean, fetchNextPage: () => unknown): void {
  useEffect(() => {
    if (isWanted) void fetchNextPage()
  }, [isWanted, fetchNextPage])
}

interface RowsProps {
  slug: string
  examples: readonly Example[]
  onRestore: (candidate: Candidate) => void
  onDrop: (candidate: Candidate) => void
}

function Rows({ slug, examples, onRestore, onDrop }: RowsProps) {
  const list = useRef<HTMLOListElement>(null)
  const { active, move } = useActiveRow({ list, ids: examples.map(({ candidate }) => candidate.id) })
  const current = examples[active]?.candidate
  useActions(funnelActions, {
    'funnel.next': () => move(1),
    'funnel.previous': () => move(-1),
    'funnel.restore': { when: () => current?.status === 'dropped', perform: () => current && onRestore(current) },
    'funnel.drop': { when: () => current?.status === 'kept', perform: () => current && onDrop(current) },
  })
  return (
    <ol ref={list} className={styles.list}>
      {examples.map((example, index) => (
        <li
          key={example.candidate.id}
          data-index={index}
          tabIndex={-1}
          className={cx(styles.example, index === active && styles.active)}
          {...(index === active && { 'aria-current': true })}
        >
          <ExampleView
            slug={slug}
            example={example}
            isActive={index === active}
            onRestore={onRestore}
            onDrop={onDrop}
          />
        </li>
      ))}
    </ol>
  )
}

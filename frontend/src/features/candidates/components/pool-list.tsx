import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useRef } from 'react'
import { cx } from '@/components/ui/cx'
import { ListFoot, type NextPage, useMoreNearEnd } from '@/components/ui/list-foot'
import { useActions } from '@/lib/actions/action-context'
import type { Candidate } from '@/lib/api/served'
import { useOffsetTop } from '@/lib/layout/use-offset-top'
import { poolRowActions } from '../actions'
import { useActiveRow } from '../state/use-active-row'
import { CandidateRow } from './candidate-row'
import styles from './candidate-row.module.css'
import pages from './pool-page.module.css'

export interface PoolListProps {
  slug: string
  imageId: number
  candidates: readonly Candidate[]
  next: NextPage
  onMore: () => void
  onRestore: (candidate: Candidate) => void
  onDrop: (candidate: Candidate) => void
}

const guessedHeight = 124
const nearTheEnd = 20

/** Captions of a pool; only the rows near the window are in the page, however many there are. */
export function PoolList(props: PoolListProps) {
  const { slug, imageId, candidates, next, onMore, onRestore, onDrop } = props
  const list = useRef<HTMLOListElement>(null)
  const scrollMargin = useOffsetTop(list)
  const virtualizer = useWindowVirtualizer({
    count: candidates.length,
    estimateSize: () => guessedHeight,
    overscan: 6,
    scrollMargin,
    scrollPaddingStart: 72,
    scrollPaddingEnd: 24,
    getItemKey: (index) => candidates[index]?.id ?? index,
  })
  const scrollTo = useCallback((index: number) => virtualizer.scrollToIndex(index, { align: 'auto' }), [virtualizer])
  const { active, move } = useActiveRow({ list, count: candidates.length, scrollTo })
  const current = candidates[active]
  useActions(poolRowActions, {
    'pool.next': () => move(1),
    'pool.previous': () => move(-1),
    'pool.restore': { when: () => current?.status === 'dropped', perform: () => current && onRestore(current) },
    'pool.drop': { when: () => current?.status === 'kept', perform: () => current && onDrop(current) },
  })
  const rows = virtualizer.getVirtualItems()
  const isNearEnd = (rows.at(-1)?.index ?? 0) >= candidates.length - nearTheEnd
  useMoreNearEnd(isNearEnd, next, onMore)
  return (
    <>
      <ol ref={list} className={pages.list} aria-label="Captions" style={{ height: virtualizer.getTotalSize() }}>
        {rows.map((row) => {
          const candidate = candidates[row.index]
          return (
            candidate && (
              <li
                key={row.key}
                ref={virtualizer.measureElement}
                data-index={row.index}
                className={cx(styles.row, row.index === active && styles.active)}
                tabIndex={-1}
                aria-posinset={row.index + 1}
                aria-setsize={next.has ? -1 : candidates.length}
                {...(row.index === active && { 'aria-current': true })}
                style={{ transform: `translateY(${row.start - scrollMargin}px)` }}
              >
                <CandidateRow
                  slug={slug}
                  imageId={imageId}
                  candidate={candidate}
                  isActive={row.index === active}
                  onRestore={onRestore}
                  onDrop={onDrop}
                />
              </li>
            )
          )
        })}
      </ol>
      <ListFoot what="captions" next={next} onMore={onMore} />
    </>
  )
}

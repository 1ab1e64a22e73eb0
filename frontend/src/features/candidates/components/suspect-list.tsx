import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useRef } from 'react'
import { cx } from '@/components/ui/cx'
import { ListFoot, type NextPage, useMoreNearEnd } from '@/components/ui/list-foot'
import { useActions } from '@/lib/actions/action-context'
import type { Suspect } from '@/lib/api/served'
import { useOffsetTop } from '@/lib/layout/use-offset-top'
import { leakageRowActions } from '../actions'
import type { Verdict } from '../state/suspect-words'
import { useActiveRow } from '../state/use-active-row'
import styles from './leakage-page.module.css'
import { SuspectRow } from './suspect-row'

export interface SuspectListProps {
  slug: string
  suspects: readonly Suspect[]
  next: NextPage
  onMore: () => void
  onDecide: (suspect: Suspect, decision: Verdict) => void
}

const guessedHeight = 260
const nearTheEnd = 10

/** Suspects one under another; a decision by key goes on to the next. Only rows near the window are in the page. */
export function SuspectList({ slug, suspects, next, onMore, onDecide }: SuspectListProps) {
  const list = useRef<HTMLOListElement>(null)
  const scrollMargin = useOffsetTop(list)
  const virtualizer = useWindowVirtualizer({
    count: suspects.length,
    estimateSize: () => guessedHeight,
    overscan: 4,
    scrollMargin,
    scrollPaddingStart: 72,
    scrollPaddingEnd: 24,
    getItemKey: (index) => suspects[index]?.id ?? index,
  })
  const scrollTo = useCallback((index: number) => virtualizer.scrollToIndex(index, { align: 'auto' }), [virtualizer])
  const { active, move, goTo } = useActiveRow({ list, count: suspects.length, scrollTo })
  const current = suspects[active]
  const byKey = (decision: Verdict) => ({
    when: () => current !== undefined && current.decision !== decision,
    perform: () => {
      if (!current) return
      onDecide(current, decision)
      goTo(active + 1)
    },
  })
  useActions(leakageRowActions, {
    'leakage.next': () => move(1),
    'leakage.previous': () => move(-1),
    'leakage.keepOut': byKey('kept_out'),
    'leakage.allow': byKey('allowed'),
  })
  const rows = virtualizer.getVirtualItems()
  useMoreNearEnd((rows.at(-1)?.index ?? 0) >= suspects.length - nearTheEnd, next, onMore)
  return (
    <>
      <ol ref={list} className={styles.list} aria-label="Suspects" style={{ height: virtualizer.getTotalSize() }}>
        {rows.map((row) => {
          const suspect = suspects[row.index]
          return (
            suspect && (
              <li
                key={row.key}
                ref={virtualizer.measureElement}
                data-index={row.index}
                className={cx(styles.row, row.index === active && styles.active)}
                tabIndex={-1}
                aria-posinset={row.index + 1}
                aria-setsize={next.has ? -1 : suspects.length}
                {...(row.index === active && { 'aria-current': true })}
                style={{ transform: `translateY(${row.start - scrollMargin}px)` }}
              >
                <SuspectRow slug={slug} suspect={suspect} isActive={row.index === active} onDecide={onDecide} />
              </li>
            )
          )
        })}
      </ol>
      <ListFoot what="suspects" next={next} onMore={onMore} />
    </>
  )
}

import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useCallback, useMemo, useRef } from 'react'
import { cx } from '@/components/ui/cx'
import { ListFoot, type NextPage, useMoreNearEnd } from '@/components/ui/list-foot'
import { inSentence } from '@/lib/language/language'
import { useActiveRow } from '@/lib/layout/use-active-row'
import { useOffsetTop } from '@/lib/layout/use-offset-top'
import styles from './keyed-list.module.css'

const nearTheEnd = 20
// In px beyond the window: near enough that the browser also loads the pictures there.
const drawnAhead = 800

interface Identified {
  id: number
}

/** A list gone through by keys: its rows, the one that keys act on, and which of them are near the window. */
export interface Keyed<Row extends Identified> {
  list: RefObject<HTMLOListElement | null>
  rows: readonly Row[]
  near: readonly VirtualItem[]
  height: number
  topOf: (item: VirtualItem) => number
  measure: (row: Element | null) => void
  active: number
  current: Row | undefined
  move: (by: 1 | -1) => void
  goTo: (index: number) => void
}

/** Only rows near the window are drawn, however many there are; `guessedHeight` in px holds until a row is drawn. */
export function useKeyedList<Row extends Identified>(rows: readonly Row[], guessedHeight: number): Keyed<Row> {
  const list = useRef<HTMLOListElement>(null)
  const scrollMargin = useOffsetTop(list)
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => guessedHeight,
    overscan: Math.round(drawnAhead / guessedHeight),
    scrollMargin,
    scrollPaddingStart: 72,
    scrollPaddingEnd: 24,
    getItemKey: (index) => rows[index]?.id ?? index,
  })
  const scrollTo = useCallback((index: number) => virtualizer.scrollToIndex(index, { align: 'auto' }), [virtualizer])
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const { active, move, goTo } = useActiveRow({ list, ids, scrollTo })
  return {
    list,
    rows,
    near: virtualizer.getVirtualItems(),
    height: virtualizer.getTotalSize(),
    topOf: (item) => item.start - scrollMargin,
    measure: virtualizer.measureElement,
    active,
    current: rows[active],
    move,
    goTo,
  }
}

export interface KeyedListProps<Row extends Identified> {
  keyed: Keyed<Row>
  /** What the rows are, in the plural: "Captions". */
  label: string
  /** The columns of a row. */
  rowClass: string | undefined
  renderRow: (row: Row, isActive: boolean) => ReactNode
  next: NextPage
  onMore: () => void
}

/** Rows one under another, the active one marked; more are fetched when the end comes near. */
export function KeyedList<Row extends Identified>(props: KeyedListProps<Row>) {
  const { keyed, label, rowClass, renderRow, next, onMore } = props
  const { list, rows, near, active, measure, topOf } = keyed
  useMoreNearEnd((near.at(-1)?.index ?? 0) >= rows.length - nearTheEnd, next, onMore)
  return (
    <>
      <ol ref={list} className={styles.list} aria-label={label} style={{ height: keyed.height }}>
        {near.map((item) => {
          const row = rows[item.index]
          const isActive = item.index === active
          return (
            row && (
              <li
                key={item.key}
                ref={measure}
                data-index={item.index}
                className={cx(styles.row, rowClass, isActive && styles.active)}
                tabIndex={-1}
                aria-posinset={item.index + 1}
                aria-setsize={next.has ? -1 : rows.length}
                {...(isActive && { 'aria-current': true })}
                style={{ transform: `translateY(${topOf(item)}px)` }}
              >
                {renderRow(row, isActive)}
              </li>
            )
          )
        })}
      </ol>
      <ListFoot what={inSentence(label)} next={next} onMore={onMore} />
    </>
  )
}

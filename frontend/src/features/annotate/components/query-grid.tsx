import { type MouseEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { LabelBadge } from '@/components/ui/badge'
import { cx } from '@/components/ui/cx'
import { useLabelLooks } from '@/components/ui/label-looks'
import type { AssignmentItem } from '@/lib/api/contract'
import { bringFocus } from '@/lib/layout/bring-focus'
import { t } from '@/messages/annotate'
import type { Answer, JudgingState } from '../state/judging'
import styles from './query-grid.module.css'

export interface QueryGridProps {
  state: JudgingState
  grid: RefObject<HTMLOListElement | null>
  onOpen: (index: number) => void
}

/** The photographs of a query in a grid of equal areas; the one that the keys judge is ringed. */
export function QueryGrid({ state, grid, onOpen }: QueryGridProps) {
  useInSight(grid, state.current)
  return (
    <ol ref={grid} className={styles.grid} data-count={state.items.length}>
      {state.items.map((item, index) => (
        <li
          key={item.position}
          className={styles.cell}
          tabIndex={-1}
          data-step=""
          data-open={index === state.current ? '' : undefined}
        >
          <Tile
            item={item}
            answer={state.answers[item.position]}
            count={state.items.length}
            isOpen={index === state.current}
            onOpen={() => onOpen(index)}
          />
        </li>
      ))}
    </ol>
  )
}

interface TileProps {
  item: AssignmentItem
  answer: Answer | undefined
  count: number
  isOpen: boolean
  onOpen: () => void
}

function Tile({ item, answer, count, isOpen, onOpen }: TileProps) {
  const looks = useLabelLooks()
  const label = answer?.label
  const said = label ? `, ${looks[label].said}` : ''
  const open = (event: MouseEvent<HTMLButtonElement>) => {
    // Opened by Enter or Space, the focus steps aside to the cell: the page's keys go on from there.
    if (event.detail === 0) event.currentTarget.closest('li')?.focus({ preventScroll: true })
    onOpen()
  }
  return (
    <button
      type="button"
      className={cx(styles.tile, isOpen && styles.isOpen)}
      aria-label={t.photographOf({ position: item.position, count, said })}
      aria-current={isOpen ? 'step' : undefined}
      onMouseDown={keepFocus}
      onClick={open}
    >
      {item.image && <TileImage image={item.image} />}
      {label && (
        <span className={styles.label}>
          <LabelBadge label={label} />
        </span>
      )}
    </button>
  )
}

/** A pointer opens a photograph without taking the focus, so that Enter keeps meaning submit. */
const keepFocus = (event: MouseEvent) => event.preventDefault()

function TileImage({ image }: { image: NonNullable<AssignmentItem['image']> }) {
  const { small, large } = image.thumbnail
  return (
    <img
      className={styles.image}
      src={large.url}
      alt=""
      width={large.width}
      height={large.height}
      decoding="sync"
      draggable={false}
      style={{ backgroundImage: `url("${encodeURI(small.url)}")` }}
    />
  )
}

/** On a phone the grid scrolls: what is open is brought into sight, and the focus along with it. */
function useInSight(grid: RefObject<HTMLOListElement | null>, current: number): void {
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    const open = grid.current?.querySelectorAll<HTMLElement>('[data-step]')[current]
    if (!isFirst.current) open?.scrollIntoView({ block: 'nearest' })
    isFirst.current = false
    bringFocus(open)
  }, [grid, current])
}

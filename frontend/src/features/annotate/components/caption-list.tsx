import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { IconButton } from '@/components/ui/button'
import { LabelBadge, labelLooks } from '@/components/ui/badge'
import { cx } from '@/components/ui/cx'
import { Icon } from '@/components/ui/icon'
import type { AssignmentItem, Label } from '@/lib/api/contract'
import { plural } from '@/lib/format/numbers'
import { isComplete, type JudgingState } from '../state/judging'
import { useSwipe } from '../state/use-swipe'
import styles from './caption-list.module.css'

export interface CaptionListProps {
  state: JudgingState
  onOpen: (index: number) => void
  onSwipe: (by: 1 | -1) => void
  /** Stands beside the stepper of the phone. */
  tools: ReactNode
}

/**
 * The captions as one column that moves under the eye: the open caption always stands at the same height, the
 * judged ones shrink to a line above it, the coming ones wait below.
 */
export function CaptionList({ state, onOpen, onSwipe, tools }: CaptionListProps) {
  const column = useRef<HTMLDivElement>(null)
  const followFocus = useSteadyEye(column, state.current)
  const swipe = useSwipe(onSwipe)
  return (
    <>
      <div className={styles.phone}>
        <PhoneStepper state={state} onMove={onSwipe} />
        {tools}
      </div>
      <div ref={column} className={styles.column} {...swipe}>
        <p className={styles.task}>
          Which of these {plural(state.items.length, 'caption')} could a person say of this photograph?
        </p>
        <ol className={styles.list}>
          {state.items.map((item, index) => (
            <CaptionEntry
              key={item.position}
              item={item}
              label={state.labels[item.position]}
              isOpen={index === state.current}
              onOpen={(byKeyboard) => {
                if (byKeyboard) followFocus()
                onOpen(index)
              }}
            />
          ))}
        </ol>
        {isComplete(state) && <Summary state={state} />}
        <div className={styles.tail} />
      </div>
    </>
  )
}

/**
 * Scrolls the column so that what is open stands on the eye line. Without motion: the text changes in place.
 * Gives the way to bring the focus along, once, for whoever opened a caption by its button, which is gone then.
 */
function useSteadyEye(column: RefObject<HTMLDivElement | null>, current: number): () => void {
  const bringsFocus = useRef(false)
  useLayoutEffect(() => {
    const open = column.current?.querySelector<HTMLElement>('[data-open]')
    const task = column.current?.querySelector<HTMLElement>('p')
    if (!column.current || !open || !task) return
    column.current.scrollTo({ top: open.offsetTop - task.offsetHeight })
    if (bringsFocus.current) open.focus({ preventScroll: true })
    bringsFocus.current = false
  }, [column, current])
  return () => {
    bringsFocus.current = true
  }
}

interface CaptionEntryProps {
  item: AssignmentItem
  label: Label | undefined
  isOpen: boolean
  onOpen: (byKeyboard: boolean) => void
}

function CaptionEntry({ item, label, isOpen, onOpen }: CaptionEntryProps) {
  if (isOpen) {
    return (
      <li className={styles.open} aria-current="step" tabIndex={-1} data-open="">
        <p className={styles.text} lang="en" dir="auto">
          {item.text}
        </p>
        {label && <LabelBadge label={label} />}
      </li>
    )
  }
  return (
    <li>
      <button
        type="button"
        className={cx(styles.line, label ? styles.judged : styles.coming)}
        onClick={(event) => onOpen(event.detail === 0)}
      >
        {label && (
          <span className={cx(styles.mark, styles[label])}>
            <Icon name={labelLooks[label].icon} size={16} strokeWidth={2.4} />
            <span className="visually-hidden">{labelLooks[label].word}: </span>
          </span>
        )}
        <span className={styles.lineText} dir="auto">
          {item.text}
        </span>
      </button>
    </li>
  )
}

/** Stands where the next caption would, once there is none. */
function Summary({ state }: { state: JudgingState }) {
  const count = (label: Label) => Object.values(state.labels).filter((given) => given === label).length
  return (
    <p className={styles.summary} {...(state.current === state.items.length && { 'data-open': '' })}>
      <strong>All {state.items.length} judged.</strong> {count('good')} good, {count('bad')} bad, {count('unsure')}{' '}
      unsure.
    </p>
  )
}

/** On a phone one caption shows at a time; these step through them. */
function PhoneStepper({ state, onMove }: { state: JudgingState; onMove: (by: 1 | -1) => void }) {
  const shown = Math.min(state.current + 1, state.items.length)
  return (
    <div className={styles.stepper}>
      <IconButton
        icon="chevronLeft"
        aria-label="Caption before"
        isDisabled={state.current === 0}
        onPress={() => onMove(-1)}
      />
      <span>
        Caption {shown} of {state.items.length}
      </span>
      <IconButton
        icon="chevronRight"
        aria-label="Next caption"
        isDisabled={shown === state.items.length && !isComplete(state)}
        onPress={() => onMove(1)}
      />
    </div>
  )
}

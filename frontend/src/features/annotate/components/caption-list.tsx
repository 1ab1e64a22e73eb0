import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { LabelBadge } from '@/components/ui/badge'
import { cx } from '@/components/ui/cx'
import { EditedCaption } from '@/components/ui/edited-caption'
import { Icon } from '@/components/ui/icon'
import frame from '@/components/ui/judging-frame.module.css'
import { useLabelLooks } from '@/components/ui/label-looks'
import type { AssignmentItem, Label } from '@/lib/api/contract'
import { editedText } from '@/lib/judging/edits'
import { bringFocus } from '@/lib/layout/bring-focus'
import { t } from '@/messages/annotate'
import { type Answer, isComplete, type JudgingState } from '../state/judging'
import { useSwipe } from '../state/use-swipe'
import styles from './caption-list.module.css'
import { hasRemarks, RemarkBadges } from './remarks'
import { Stepper } from './stepper'

export interface CaptionListProps {
  state: JudgingState
  onOpen: (index: number) => void
  onSwipe: (by: 1 | -1) => void
  /** Stands beside the stepper of the phone. */
  tools: ReactNode
  /** The verbs about the open caption, under it. */
  deeds: ReactNode
  /** Stands in place of the open caption while it is edited. */
  editor: ReactNode
}

/**
 * The captions as one column that moves under the eye: the open caption always stands at the same height, the
 * judged ones shrink to a line above it, the coming ones wait below.
 */
export function CaptionList({ state, onOpen, onSwipe, tools, deeds, editor }: CaptionListProps) {
  const column = useRef<HTMLDivElement>(null)
  const followFocus = useSteadyEye(column, state.current)
  const swipe = useSwipe(onSwipe)
  return (
    <>
      <div className={styles.phone}>
        <Stepper state={state} onMove={onSwipe} />
        {tools}
      </div>
      <div ref={column} className={styles.column} {...swipe}>
        <p className={styles.task}>{t.whichCaptions({ n: state.items.length })}</p>
        <ol className={styles.list}>
          {state.items.map((item, index) =>
            index === state.current ? (
              <OpenCaption key={item.position} item={item} answer={state.answers[item.position]} editor={editor}>
                {deeds}
              </OpenCaption>
            ) : (
              <ClosedCaption
                key={item.position}
                item={item}
                answer={state.answers[item.position]}
                onOpen={(byKeyboard) => {
                  if (byKeyboard) followFocus()
                  onOpen(index)
                }}
              />
            ),
          )}
        </ol>
        {isComplete(state) && <Summary state={state} />}
        <div className={styles.tail} />
      </div>
    </>
  )
}

/**
 * Keeps what is open on the eye line, without motion, and the focus with it. Gives the way to bring the focus along
 * once: a caption opened by its button takes that button away.
 */
function useSteadyEye(column: RefObject<HTMLDivElement | null>, current: number): () => void {
  const bringsFocus = useRef(false)
  useLayoutEffect(() => {
    const open = column.current?.querySelector<HTMLElement>('[data-open]')
    const task = column.current?.querySelector<HTMLElement>('p')
    if (!column.current || !open || !task) return
    column.current.scrollTo({ top: open.offsetTop - task.offsetHeight })
    if (bringsFocus.current) open.focus({ preventScroll: true })
    else bringFocus(open)
    bringsFocus.current = false
  }, [column, current])
  return () => {
    bringsFocus.current = true
  }
}

interface OpenCaptionProps {
  item: AssignmentItem
  answer: Answer | undefined
  editor: ReactNode
  children: ReactNode
}

function OpenCaption({ item, answer, editor, children }: OpenCaptionProps) {
  const caption = useFocusAfter(editor !== null)
  return (
    <li ref={caption} className={styles.open} aria-current="step" tabIndex={-1} data-open="" data-step="">
      {editor ?? (
        <>
          <p className={frame.caption} lang="en" dir="auto">
            <EditedCaption text={item.text ?? ''} edits={answer?.edits ?? []} />
          </p>
          {(answer?.label ?? hasRemarks(answer)) && (
            <div className={styles.said}>
              {answer?.label && <LabelBadge label={answer.label} />}
              {answer && <RemarkBadges answer={answer} />}
            </div>
          )}
          {children}
        </>
      )}
    </li>
  )
}

/** The focus was in the editor, which is gone: it goes on from the caption. */
function useFocusAfter(isEdited: boolean): RefObject<HTMLLIElement | null> {
  const caption = useRef<HTMLLIElement>(null)
  const wasEdited = useRef(isEdited)
  useLayoutEffect(() => {
    if (wasEdited.current && !isEdited) caption.current?.focus({ preventScroll: true })
    wasEdited.current = isEdited
  }, [isEdited])
  return caption
}

interface ClosedCaptionProps {
  item: AssignmentItem
  answer: Answer | undefined
  onOpen: (byKeyboard: boolean) => void
}

function ClosedCaption({ item, answer, onOpen }: ClosedCaptionProps) {
  const looks = useLabelLooks()
  const label = answer?.label
  return (
    <li>
      <button
        type="button"
        className={cx(styles.line, label ? styles.judged : styles.coming)}
        onClick={(event) => onOpen(event.detail === 0)}
      >
        {label && (
          <span className={cx(styles.mark, styles[label])}>
            <Icon name={looks[label].icon} size={16} strokeWidth={2.4} />
            <span className="visually-hidden">{looks[label].word}: </span>
          </span>
        )}
        <span className={styles.lineText} dir="auto">
          {editedText(item.text ?? '', answer?.edits ?? [])}
        </span>
        {answer && <RemarkBadges answer={answer} isShort />}
      </button>
    </li>
  )
}

/** Stands where the next caption would, once there is none. */
function Summary({ state }: { state: JudgingState }) {
  const labels = Object.values(state.answers).map((answer) => answer.label)
  const isOpen = state.current === state.items.length
  const count = (label: Label) => labels.filter((given) => given === label).length
  return (
    <p className={styles.summary} tabIndex={-1} data-step="" data-open={isOpen ? '' : undefined}>
      <strong>{t.allJudged({ n: state.items.length })}</strong>{' '}
      {t.summary({ good: count('good'), bad: count('bad'), unsure: count('unsure') })}
    </p>
  )
}

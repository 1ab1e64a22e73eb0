import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { KeyCap } from '@/components/ui/key-cap'
import { pressedKeys } from '@/lib/actions/keys'
import type { SuggestedEdit } from '@/lib/api/contract'
import { editKindName } from '@/lib/judging/annotation-words'
import { backKey, onwardKey } from '@/lib/language/direction'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/annotate'
import { t as common } from '@/messages/common'
import styles from './caption-editor.module.css'

export interface SuggestionListProps {
  /** Those whose words still stand as they were. */
  suggestions: readonly SuggestedEdit[]
  /** Whether the focus begins here: one digit then takes a suggestion, and Enter keeps the edit. */
  startsHere: boolean
  /** Puts `option` in the place of the words, or marks them to be written over. */
  onTake: (suggestion: SuggestedEdit, option: string | null) => void
  /** A letter was typed: it belongs into the field. */
  onType: () => void
}

interface Choice {
  id: string
  words: ReactNode
  note: string
  choose: () => void
}

const nDigits = 9
const steps: Readonly<Record<string, number>> = { [onwardKey]: 1, ArrowDown: 1, [backKey]: -1, ArrowUp: -1 }

/** What may need an edit, each by its digit. Where several texts could stand there, they are the next choice. */
export function SuggestionList({ suggestions, startsHere, onTake, onType }: SuggestionListProps) {
  const [opened, setOpened] = useState<SuggestedEdit | null>(null)
  const list = useRef<HTMLDivElement>(null)
  // The list itself has it, none of its buttons: Enter would press that.
  const focus = () => list.current?.focus({ preventScroll: true })
  useEffect(() => {
    if (startsHere) focus()
  }, [startsHere])
  if (suggestions.length === 0) return null
  const take = (suggestion: SuggestedEdit, option: string | null) => {
    setOpened(null)
    onTake(suggestion, option)
  }
  const choices = opened ? optionsOf(opened, take) : suggestions.map((each) => choiceOf(each, take, setOpened))
  const pick = ({ choose }: Choice) => {
    focus()
    choose()
  }
  const handleKeys = (event: KeyboardEvent) => {
    const digit = pressedKeys(event.nativeEvent).find((key) => /^[1-9]$/.test(key))
    const chosen = digit && choices[Number(digit) - 1]
    if (chosen) {
      event.preventDefault()
      pick(chosen)
    } else if (event.key === 'Escape' && opened) {
      event.stopPropagation()
      setOpened(null)
      focus()
    } else if (event.key in steps) {
      event.preventDefault()
      move(list.current, steps[event.key] ?? 0)
    } else if (!digit && isWriting(event)) onType()
  }
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- digits choose from any of its buttons.
    <div
      ref={list}
      className={styles.suggestions}
      role="group"
      tabIndex={-1}
      aria-label={t.suggestedEdits}
      onKeyDown={handleKeys}
    >
      <p className={styles.hint}>{opened ? t.insteadOf({ before: opened.before }) : t.mayNeedEdit}</p>
      {choices.map((choice, place) => (
        <button
          key={choice.id}
          type="button"
          className={styles.suggestion}
          aria-keyshortcuts={place < nDigits ? String(place + 1) : undefined}
          onClick={() => pick(choice)}
        >
          {place < nDigits && <KeyCap keyName={String(place + 1)} />}
          <span className={styles.words}>{choice.words}</span>
          {choice.note && <small>{choice.note}</small>}
        </button>
      ))}
    </div>
  )
}

/** From one button to another, and from the list to its first. */
function move(list: HTMLElement | null, by: number): void {
  const buttons = Array.from(list?.querySelectorAll('button') ?? [])
  const from = buttons.findIndex((button) => button === document.activeElement)
  buttons[Math.max(0, Math.min(from + by, buttons.length - 1))]?.focus({ preventScroll: true })
}

function choiceOf(
  suggestion: SuggestedEdit,
  take: SuggestionListProps['onTake'],
  open: (suggestion: SuggestedEdit) => void,
): Choice {
  const { start, kind, before, options } = suggestion
  const [first, ...rest] = options
  const only = rest.length === 0 ? (first ?? null) : null
  return {
    id: `${start} ${kind} ${before}`,
    words:
      only === null ? <span dir="auto">{before}</span> : <Sentence of={common.becomes} parts={change(before, only)} />,
    note: editKindName(suggestion.kind),
    choose: () => (rest.length > 0 ? open(suggestion) : take(suggestion, only)),
  }
}

const change = (before: string, after: string) => ({
  before: (
    <span key="before" dir="auto">
      {before}
    </span>
  ),
  after: (
    <span key="after" dir="auto">
      {after}
    </span>
  ),
})

const optionsOf = (suggestion: SuggestedEdit, take: SuggestionListProps['onTake']): Choice[] => [
  ...suggestion.options.slice(0, nDigits - 1).map((option) => ({
    id: option,
    words: <span dir="auto">{option}</span>,
    note: '',
    choose: () => take(suggestion, option),
  })),
  { id: '', words: t.writeYourself, note: '', choose: () => take(suggestion, null) },
]

/** A letter, a correction, or the beginning of one that an input method composes. */
function isWriting({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || key === ' ') return false
  return key.length === 1 || ['Backspace', 'Delete', 'Process', 'Dead'].includes(key)
}

import { type KeyboardEvent, type SubmitEvent, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { ChangeList } from '@/components/ui/change-list'
import { belongsToControl } from '@/lib/actions/keys'
import type { SuggestedEdit } from '@/lib/api/contract'
import type { Edit } from '@/lib/judging/annotation-words'
import { changeKey, rewritten } from '@/lib/judging/find-edits'
import { editsOf } from '@/lib/judging/fold-edits'
import { longestCaption } from '@/lib/judging/limits'
import type { Writing } from '@/lib/judging/writing'
import { t } from '@/messages/annotate'
import styles from './caption-editor.module.css'
import { SuggestionList } from './suggestion-list'
import { replaced, type Span, spanOf } from './suggestions'

export interface CaptionEditorProps {
  text: string
  /** Those kept of it before. */
  edits: readonly Edit[]
  /** What stands in the field; it is kept by the one above, so that nothing can lose it. */
  writing: Writing
  /** What may need an edit; more may come while it is open. */
  suggestions: readonly SuggestedEdit[]
  onWrite: (writing: Writing) => void
  onSave: (edits: Edit[]) => void
  onClose: () => void
}

/**
 * The open caption as a field in its own place; each change gets its kind underneath. Enter keeps, but on a control that
 * somebody went to; Ctrl+Enter keeps there as well. Esc leaves it.
 */
export function CaptionEditor({ text, edits, writing, suggestions, onWrite, onSave, onClose }: CaptionEditorProps) {
  const { text: written, kinds } = writing
  const now = rewritten(text, written)
  const typed = editsOf(text, now, kinds, edits, suggestions)
  const open = suggestions.filter((each) => spanOf(text, written, each) !== null)
  const [startsInList] = useState(open.length > 0)
  const { field, focus, select } = useField(open.length === 0)
  const take = (suggestion: SuggestedEdit, option: string | null) => {
    const span = spanOf(text, written, suggestion)
    if (!span) return
    if (option !== null) onWrite({ ...writing, text: replaced(written, span, option) })
    const after = span.start + (option ?? '').length
    select(option === null ? { ...span } : { start: after, end: after })
    if (option === null) focus()
  }
  const keep = (event?: SubmitEvent) => {
    event?.preventDefault()
    if (now) onSave(typed)
  }
  const handleKeys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onClose()
    const isForced = event.ctrlKey || event.metaKey
    if (event.key === 'Enter' && (isForced || !belongsToControl(event.nativeEvent))) {
      event.preventDefault()
      keep()
    }
  }
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc leaves the form from any field.
    <form className={styles.editor} onSubmit={keep} onKeyDown={handleKeys}>
      <textarea
        ref={field}
        className={styles.field}
        aria-label={t.caption}
        aria-describedby="edit-hint"
        lang="en"
        dir="auto"
        rows={3}
        maxLength={longestCaption}
        value={written}
        onChange={(event) => onWrite({ ...writing, text: event.target.value })}
      />
      <p id="edit-hint" className={styles.hint}>
        {now === '' ? t.emptyCaption : t.fixWrong}
      </p>
      <SuggestionList suggestions={open} startsHere={startsInList} onTake={take} onType={focus} />
      <ChangeList
        edits={typed}
        onKind={(edit, kind) => onWrite({ ...writing, kinds: { ...kinds, [changeKey(edit)]: kind } })}
      />
      <div className={styles.ways}>
        <Button size="small" shortcut="Escape" keyShortcuts="Escape" onPress={onClose}>
          {t.leaveAsWas}
        </Button>
        <Button
          size="small"
          type="submit"
          variant="primary"
          shortcut="Enter"
          keyShortcuts="Enter"
          isDisabled={now === ''}
        >
          {t.keepEdit}
        </Button>
      </div>
    </form>
  )
}

/**
 * The field, the way into it, and the way to put its caret, at the end at first, or to mark words once they stand there.
 * It has the focus where it `isAlone`: there is no list of suggestions, or no longer.
 */
function useField(isAlone: boolean) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [wanted, select] = useState<Span>({ start: longestCaption, end: longestCaption })
  const focus = () => field.current?.focus({ preventScroll: true })
  useLayoutEffect(() => field.current?.setSelectionRange(wanted.start, wanted.end), [wanted])
  useLayoutEffect(() => {
    if (isAlone) focus()
  }, [isAlone])
  return { field, focus, select }
}

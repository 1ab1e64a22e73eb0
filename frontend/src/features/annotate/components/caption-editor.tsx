import type { KeyboardEvent, SubmitEvent } from 'react'
import { Button } from '@/components/ui/button'
import { ChangeList } from '@/components/ui/change-list'
import type { Edit } from '@/lib/judging/annotation-words'
import { changeKey, findChanges, oneLine, typedEdits } from '@/lib/judging/find-edits'
import type { Writing } from '../state/unfinished'
import styles from './caption-editor.module.css'

export interface CaptionEditorProps {
  text: string
  /** Those kept of it before. */
  edits: readonly Edit[]
  /** What stands in the field; it is kept by the one above, so that nothing can lose it. */
  writing: Writing
  onWrite: (writing: Writing) => void
  onSave: (edits: Edit[]) => void
  onClose: () => void
}

const longest = 2000

/** The open caption as a field in its own place; each change gets its kind underneath. Enter keeps, Esc leaves it. */
export function CaptionEditor({ text, edits, writing, onWrite, onSave, onClose }: CaptionEditorProps) {
  const { text: written, kinds } = writing
  const now = oneLine(written)
  const typed = typedEdits(findChanges(text, now), kinds, edits)
  const keep = (event?: SubmitEvent) => {
    event?.preventDefault()
    if (now) onSave(typed)
  }
  const handleKeys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onClose()
    if (event.key === 'Enter' && event.target instanceof HTMLTextAreaElement) {
      event.preventDefault()
      keep()
    }
  }
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc leaves the form from any field.
    <form className={styles.editor} onSubmit={keep} onKeyDown={handleKeys}>
      <textarea
        ref={focusAtEnd}
        className={styles.field}
        aria-label="Caption"
        aria-describedby="edit-hint"
        lang="en"
        dir="auto"
        rows={3}
        maxLength={longest}
        value={written}
        onChange={(event) => onWrite({ ...writing, text: event.target.value })}
      />
      <p id="edit-hint" className={styles.hint}>
        {now === ''
          ? 'A caption cannot be empty. Where nothing of it is right, leave it as it was and judge it bad.'
          : 'Mend what is wrong and leave the rest.'}
      </p>
      <ChangeList
        edits={typed}
        onKind={(edit, kind) => onWrite({ ...writing, kinds: { ...kinds, [changeKey(edit)]: kind } })}
      />
      <div className={styles.ways}>
        <Button size="small" onPress={onClose}>
          Leave it as it was
        </Button>
        <Button size="small" type="submit" variant="primary" isDisabled={now === ''}>
          Keep the edit
        </Button>
      </div>
    </form>
  )
}

function focusAtEnd(field: HTMLTextAreaElement | null) {
  field?.focus({ preventScroll: true })
  field?.setSelectionRange(field.value.length, field.value.length)
}

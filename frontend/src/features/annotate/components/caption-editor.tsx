import { type KeyboardEvent, type SubmitEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/select'
import { useSuspendedActions } from '@/lib/actions/action-context'
import { type Edit, type EditKind, editKinds } from '../state/annotation-words'
import { editedText } from '../state/edits'
import { changeKey, findChanges, oneLine, typedEdits } from '../state/find-edits'
import styles from './caption-editor.module.css'

export interface CaptionEditorProps {
  text: string
  edits: readonly Edit[]
  onSave: (edits: Edit[]) => void
  onClose: () => void
}

const longest = 2000
const kindChoices = editKinds.map(({ kind, name }) => ({ value: kind, label: name }))

/** The open caption as a field in its own place; each change gets its kind underneath. Enter keeps, Esc leaves it. */
export function CaptionEditor({ text, edits, onSave, onClose }: CaptionEditorProps) {
  useSuspendedActions(true)
  const [written, setWritten] = useState(() => editedText(text, edits))
  const [chosen, setChosen] = useState<Record<string, EditKind>>({})
  const now = oneLine(written)
  const typed = typedEdits(findChanges(text, now), chosen, edits)
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
        onChange={(event) => setWritten(event.target.value)}
      />
      <p id="edit-hint" className={styles.hint}>
        {now === ''
          ? 'A caption cannot be empty. Where nothing of it is right, leave it as it was and judge it bad.'
          : 'Mend what is wrong and leave the rest.'}
      </p>
      <ChangeList edits={typed} onKind={(edit, kind) => setChosen({ ...chosen, [changeKey(edit)]: kind })} />
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

function ChangeList({ edits, onKind }: { edits: readonly Edit[]; onKind: (edit: Edit, kind: EditKind) => void }) {
  if (edits.length === 0) return null
  return (
    <ul className={styles.changes} aria-label="Changes">
      {edits.map((edit) => (
        <li key={changeKey(edit)} className={styles.change}>
          <span className={styles.words}>{changeInWords(edit)}</span>
          <Select
            label={`Kind of change: ${changeInWords(edit)}`}
            hidesLabel
            choices={kindChoices}
            value={edit.kind}
            onChange={(kind) => onKind(edit, kind)}
          />
        </li>
      ))}
    </ul>
  )
}

function changeInWords({ before, after }: Edit): string {
  if (!before.trim()) return `“${after.trim()}” added`
  if (!after.trim()) return `“${before.trim()}” left out`
  return `“${before.trim()}” → “${after.trim()}”`
}

import { type Edit, type EditKind, editKinds } from '@/lib/judging/annotation-words'
import { changeKey } from '@/lib/judging/find-edits'
import styles from './change-list.module.css'
import { Select } from './select'

export interface ChangeListProps {
  edits: readonly Edit[]
  onKind: (edit: Edit, kind: EditKind) => void
}

const kindChoices = editKinds.map(({ kind, name }) => ({ value: kind, label: name }))

/** The changes made to a caption, each with its kind for the person to put right. */
export function ChangeList({ edits, onKind }: ChangeListProps) {
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

import { type Edit, type EditKind, editKinds } from '@/lib/judging/annotation-words'
import { changeKey } from '@/lib/judging/find-edits'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/common'
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
    <ul className={styles.changes} aria-label={t.changes}>
      {edits.map((edit) => (
        <li key={changeKey(edit)} className={styles.change}>
          <span className={styles.words}>
            <Change edit={edit} />
          </span>
          <Select
            label={t.kindOfChange({ change: changeInWords(edit) })}
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

/** A change to be seen: words of the other direction turn nothing round beside them. */
function Change({ edit }: { edit: Edit }) {
  const [before, after] = [
    <span key="before" dir="auto">
      {edit.before.trim()}
    </span>,
    <span key="after" dir="auto">
      {edit.after.trim()}
    </span>,
  ]
  if (!edit.before.trim()) return <Sentence of={t.added} parts={{ after }} />
  if (!edit.after.trim()) return <Sentence of={t.leftOut} parts={{ before }} />
  return <Sentence of={t.becomes} parts={{ before, after }} />
}

function changeInWords({ before, after }: Edit): string {
  if (!before.trim()) return t.added({ after: after.trim() })
  if (!after.trim()) return t.leftOut({ before: before.trim() })
  return t.becomes({ before: before.trim(), after: after.trim() })
}

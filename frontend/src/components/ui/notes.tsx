import { cx } from './cx'
import styles from './notes.module.css'

export interface NotesProps {
  /** Sentences; what is false is left out. */
  notes: readonly (string | false)[]
  /** What they are about, where no heading says it. */
  label?: string
  className?: string | undefined
}

/** What somebody must know before believing what stands beside it. Without a sentence there is no list. */
export function Notes({ notes, label, className }: NotesProps) {
  const said = notes.filter((note) => note !== false)
  if (said.length === 0) return null
  return (
    <ul className={cx(styles.notes, className)} aria-label={label}>
      {said.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}

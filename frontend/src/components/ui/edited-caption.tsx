import type { Edit } from '@/lib/judging/annotation-words'
import { piecesOf } from '@/lib/judging/edits'
import styles from './edited-caption.module.css'

/** A caption with its edits to be seen: what goes is struck, what comes is underlined. */
export function EditedCaption({ text, edits }: { text: string; edits: readonly Edit[] }) {
  if (edits.length === 0) return text
  return piecesOf(text, edits).map(({ kind, text: words }, place) => {
    if (kind === 'removed') {
      return (
        <del key={place} className={styles.removed}>
          {words}
        </del>
      )
    }
    if (kind === 'added') {
      return (
        <ins key={place} className={styles.added}>
          {words}
        </ins>
      )
    }
    return <span key={place}>{words}</span>
  })
}

import { Badge } from '@/components/ui/badge'
import { type Edit, lensName } from '../state/annotation-words'
import { piecesOf } from '../state/edits'
import type { Answer } from '../state/judging'
import styles from './remarks.module.css'

export const hasRemarks = (answer: Answer | undefined): boolean =>
  answer !== undefined && (answer.lens !== '' || answer.isGeneric || answer.comment !== '' || answer.edits.length > 0)

/** What was said of a pair besides its label. */
export function RemarkBadges({ answer }: { answer: Answer }) {
  return (
    <>
      {answer.lens !== '' && <Badge tone="accent">{lensName(answer.lens)}</Badge>}
      {answer.isGeneric && <Badge>Too generic</Badge>}
      {answer.edits.length > 0 && <Badge tone="accent">Edited</Badge>}
      {answer.comment && (
        <p className={styles.comment} dir="auto">
          {answer.comment}
        </p>
      )}
    </>
  )
}

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

import { Badge } from '@/components/ui/badge'
import { lensName } from '@/lib/judging/annotation-words'
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

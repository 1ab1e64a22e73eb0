import { Badge } from '@/components/ui/badge'
import { lensName } from '@/lib/judging/annotation-words'
import { t } from '@/messages/annotate'
import type { Answer } from '../state/judging'
import styles from './remarks.module.css'

export const hasRemarks = (answer: Answer | undefined): boolean =>
  answer !== undefined && (answer.lens !== '' || answer.isGeneric || answer.comment !== '' || answer.edits.length > 0)

/** What was said of a pair besides its label. */
export function RemarkBadges({ answer, isShort }: { answer: Answer; isShort?: boolean }) {
  return (
    <>
      {answer.lens !== '' && <Badge tone="accent">{lensName(answer.lens)}</Badge>}
      {answer.isGeneric && <Badge>{t.tooGeneric}</Badge>}
      {answer.edits.length > 0 && <Badge tone="accent">{t.edited}</Badge>}
      {answer.comment &&
        (isShort ? (
          <Badge>{t.comment}</Badge>
        ) : (
          <p className={styles.comment} dir="auto">
            {answer.comment}
          </p>
        ))}
    </>
  )
}

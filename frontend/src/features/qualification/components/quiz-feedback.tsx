import { Badge, LabelBadge } from '@/components/ui/badge'
import { useLabelLooks } from '@/components/ui/label-looks'
import type { QuizQuestion } from '@/lib/api/served'
import { t } from '@/messages/qualification'
import { labelsInWords } from '../state/quiz-words'
import styles from './quiz-run.module.css'

/** What one answered, what is correct, and why. */
export function QuizFeedback({ feedback }: { feedback: NonNullable<QuizQuestion['feedback']> }) {
  const looks = useLabelLooks()
  return (
    <div className={styles.feedback}>
      <p className={styles.verdict}>
        {feedback.is_right ? (
          <Badge tone="good" icon="check">
            {t.right}
          </Badge>
        ) : (
          <Badge tone="bad" icon="cross">
            {t.notRight}
          </Badge>
        )}
        <span>{t.youSaid}</span> <LabelBadge label={feedback.label} />
        {!feedback.is_right && <span>{t.rightWouldBe({ accepted: labelsInWords(feedback.accepted, looks) })}</span>}
      </p>
      {feedback.explanation && <p dir="auto">{feedback.explanation}</p>}
    </div>
  )
}

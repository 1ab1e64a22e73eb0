import { Icon } from '@/components/ui/icon'
import type { MyQualification } from '@/lib/api/served'
import { t } from '@/messages/qualification'
import { stepsOf } from '../state/quiz-words'
import styles from './step-list.module.css'

/** What a newcomer does before the first task, with the present step marked. */
export function StepList({ mine }: { mine: MyQualification }) {
  const steps = stepsOf(mine)
  const present = steps.findIndex(({ isDone }) => !isDone)
  return (
    <ol className={styles.steps} aria-label={t.beforeYouBegin}>
      {steps.map(({ label, isDone }, at) => (
        <li key={label} className={styles.step} aria-current={at === present ? 'step' : undefined}>
          <span className={styles.number} aria-hidden="true">
            {isDone ? <Icon name="check" size={14} /> : at + 1}
          </span>
          {label}
          {isDone && <span className="visually-hidden">{t.done}</span>}
        </li>
      ))}
    </ol>
  )
}

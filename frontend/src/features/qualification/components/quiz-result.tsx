import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Page } from '@/components/ui/page-header'
import { EmptyState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import type { QuizAttempt } from '@/lib/api/served'
import { t } from '@/messages/qualification'
import { neededOf } from '../state/quiz-words'
import { QuizFeedback } from './quiz-feedback'
import styles from './quiz-run.module.css'

export interface QuizResultProps {
  project: Project
  attempt: QuizAttempt
  onEnd: () => void
}

/** How an attempt ended, and the one way on. */
export function QuizResult({ project, attempt, onEnd }: QuizResultProps) {
  const { n_right: right, n_questions: n } = attempt
  const count = t.nRight({ right: right ?? 0, n })
  if (attempt.is_passed) {
    return (
      <Page>
        <EmptyState
          isPage
          title={t.youPassed}
          icon="check"
          action={
            <LinkButton to="/projects/$slug/annotate" params={{ slug: project.slug }} variant="primary" autoFocus>
              {t.judgeFirst}
            </LinkButton>
          }
        >
          <p>{t.knowWhat({ count })}</p>
          <Mistakes attempt={attempt} />
        </EmptyState>
      </Page>
    )
  }
  return (
    <Page>
      <EmptyState
        isPage
        title={attempt.is_passed === null ? t.doesNotCount : t.notPassed}
        icon="book"
        action={
          <Button variant="primary" autoFocus onPress={onEnd}>
            {t.whatNow}
          </Button>
        }
      >
        <p>
          {attempt.is_passed === null ? t.quizChanged : t.neededRight({ count, n: neededOf(n, attempt.pass_mark) })}
        </p>
        <Mistakes attempt={attempt} />
      </EmptyState>
    </Page>
  )
}

/** The questions with a wrong answer, so that nobody has to remember them. */
function Mistakes({ attempt }: { attempt: QuizAttempt }) {
  const wrong = attempt.questions.filter(({ feedback }) => feedback?.is_right === false)
  if (wrong.length === 0) return null
  return (
    <ul className={styles.mistakes} aria-label={t.mistakes}>
      {wrong.map(({ position, text, feedback }) => (
        <li key={position}>
          <q lang="en" dir="auto">
            {text}
          </q>
          {feedback && <QuizFeedback feedback={feedback} />}
        </li>
      ))}
    </ul>
  )
}

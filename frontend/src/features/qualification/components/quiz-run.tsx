import { type ReactNode, useRef, useState } from 'react'
import { photoActions } from '@/components/photograph/photo-actions'
import { Photograph, type PhotographHandle } from '@/components/photograph/photograph'
import { usePhotoHandlers } from '@/components/photograph/use-photo-handlers'
import { ActionButton } from '@/components/ui/action-button'
import { AnswerKey, AnswerRow } from '@/components/ui/answer-key'
import { cx } from '@/components/ui/cx'
import frame from '@/components/ui/judging-frame.module.css'
import { useLabelLooks } from '@/components/ui/label-looks'
import { Notice } from '@/components/ui/notice'
import { ProgressBar } from '@/components/ui/progress-bar'
import { useActions } from '@/lib/actions/action-context'
import { asApiError } from '@/lib/api/api-error'
import type { Label, Project } from '@/lib/api/contract'
import type { QuizAttempt } from '@/lib/api/served'
import { usePageTitle } from '@/lib/use-page-title'
import { t } from '@/messages/qualification'
import { quizActions } from '../actions'
import { useAnswerQuiz, useRereadAttempt } from '../api/take-quiz'
import { nextQuestion } from '../state/quiz-words'
import { QuizFeedback } from './quiz-feedback'
import { QuizResult } from './quiz-result'
import styles from './quiz-run.module.css'

export interface QuizRunProps {
  project: Project
  begun: QuizAttempt
  onEnd: () => void
  /** The guidelines, to look something up. */
  children: ReactNode
}

/** The key that was pressed goes with the question, so the focus is put on the next one. */
const focus = (heading: HTMLElement | null) => heading?.focus()

const labels: readonly Label[] = ['good', 'bad', 'unsure']

/** One attempt, question by question; what was answered shows what would have been right. */
export function QuizRun({ project, begun, onEnd, children }: QuizRunProps) {
  usePageTitle(t.quizOf({ name: project.name }))
  const [attempt, setAttempt] = useState(begun)
  const [position, setPosition] = useState(() => nextQuestion(begun)?.position ?? null)
  const [isOver, setOver] = useState(false)
  const { mutate, isPending, error, reset } = useAnswerQuiz(project.slug)
  const looks = useLabelLooks()
  const reread = useRereadAttempt(project.slug)
  // One that another tab has answered and that was found wrong since is told no more: the next one comes in its place.
  const question = attempt.questions.find((each) => each.position === position) ?? nextQuestion(attempt)
  const canAnswer = () => question?.feedback === null && !isPending && !reread.isPending && !isOver
  const takeOver = (found: QuizAttempt | null) => (found ? setAttempt(found) : setOver(true))
  const onError = (refused: Error) => {
    // Another tab was faster, or the quiz was changed: what stands now is read anew.
    if (asApiError(refused).status !== 409) return
    reread.mutate(attempt.number, { onSuccess: takeOver, onError: () => setOver(true) })
  }
  const answer = (label: Label) => ({
    when: canAnswer,
    perform: () => {
      if (!question) return
      mutate({ number: attempt.number, position: question.position, label }, { onSuccess: setAttempt, onError })
    },
  })
  const goOn = () => {
    if (isOver) {
      onEnd()
      return
    }
    reset()
    setPosition(nextQuestion(attempt)?.position ?? null)
  }
  useActions(quizActions(looks), {
    'qualify.good': answer('good'),
    'qualify.bad': answer('bad'),
    'qualify.unsure': answer('unsure'),
    'qualify.next': {
      when: () => isOver || (question !== undefined && question.feedback !== null),
      perform: goOn,
    },
  })
  const photograph = useRef<PhotographHandle>(null)
  useActions(photoActions, usePhotoHandlers(photograph))
  if (!question) return <QuizResult project={project} attempt={attempt} onEnd={onEnd} />
  const nAnswered = attempt.questions.filter((each) => each.feedback !== null).length
  return (
    <main className={cx(frame.frame, styles.desk)}>
      <div className={frame.progress}>
        <ProgressBar label={t.questionsAnswered} value={nAnswered} max={attempt.questions.length} isThin />
      </div>
      <Photograph key={question.position} image={question.image} handle={photograph} />
      <section className={styles.panel} aria-label={t.question}>
        <h1 key={question.position} ref={focus} tabIndex={-1} className={styles.where}>
          {t.questionOf({ position: attempt.questions.indexOf(question) + 1, n: attempt.questions.length })}
        </h1>
        <div className={styles.middle}>
          <p className={frame.caption} lang="en" dir="auto">
            {question.text}
          </p>
          <div aria-live="polite">{question.feedback && <QuizFeedback feedback={question.feedback} />}</div>
          {error && (
            <Notice tone="bad">
              {asApiError(error).message}
              {isOver && ` ${t.seeWhere}`}
            </Notice>
          )}
        </div>
        <footer className={styles.foot}>
          {question.feedback || isOver ? (
            <ActionButton id="qualify.next" variant="primary" size="large" showsKey autoFocus />
          ) : (
            <AnswerRow label={t.yourAnswer}>
              {labels.map((label) => (
                <AnswerKey
                  key={label}
                  id={`qualify.${label}`}
                  label={label}
                  isDisabled={isPending || reread.isPending}
                />
              ))}
            </AnswerRow>
          )}
        </footer>
        <div className={styles.lookUp}>{children}</div>
      </section>
    </main>
  )
}

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Disclosure } from '@/components/ui/disclosure'
import { EntryFoot, EntryHeader, EntryPage, EntryPoints, EntryWords } from '@/components/ui/entry-page'
import { Markdown } from '@/components/ui/markdown'
import { Notice } from '@/components/ui/notice'
import { WorkedExamples } from '@/components/ui/worked-examples'
import { asApiError } from '@/lib/api/api-error'
import type { Project } from '@/lib/api/contract'
import type { MyQualification, QuizAttempt } from '@/lib/api/served'
import { absoluteTime } from '@/lib/format/time'
import { t } from '@/messages/qualification'
import { useBeginQuiz } from '../api/take-quiz'
import { neededOf, quizMinutes, termsInWords } from '../state/quiz-words'
import { ExamplePictures } from './example-pictures'
import styles from './qualify-page.module.css'
import { QuizRun } from './quiz-run'
import { StepList } from './step-list'

export interface QuizStepProps {
  project: Project
  mine: MyQualification
  /** An attempt is over, or none can be begun, perhaps because another tab was faster: what is asked next is read anew. */
  onOver: () => void
}

/** The quiz: its terms, the questions one by one, and how it ended. */
export function QuizStep({ project, mine, onOver }: QuizStepProps) {
  const [attempt, setAttempt] = useState<QuizAttempt | null>(null)
  const { mutate, isPending, error } = useBeginQuiz(project.slug)
  const end = () => {
    setAttempt(null)
    onOver()
  }
  if (attempt) {
    return (
      <QuizRun key={attempt.number} project={project} begun={attempt} onEnd={end}>
        <GuidelinesAgain guidelines={mine.guidelines} />
      </QuizRun>
    )
  }
  return (
    <EntryPage>
      <EntryHeader
        title={titleOf(mine)}
        lead={termsInWords(mine.quiz.n_questions, mine.quiz.pass_mark)}
        minutes={quizMinutes(mine)}
        terms={[{ icon: 'undo', words: t.attemptsLeft({ attemptsLeft: mine.quiz.attempts_left }) }]}
      >
        <StepList mine={mine} />
      </EntryHeader>
      <EntryWords label={t.beforeYouBegin}>
        {mine.quiz.last?.ended_at && mine.quiz.last.is_passed === false && <LastResult quiz={mine.quiz} />}
        {!isUsedUp(mine.quiz) && <HowItGoes project={project} />}
        <GuidelinesAgain guidelines={{ ...mine.guidelines, examples: [] }} />
      </EntryWords>
      <EntryFoot>
        {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
        <WayIn
          quiz={mine.quiz}
          isPending={isPending}
          onBegin={() => mutate(undefined, { onSuccess: setAttempt, onError: onOver })}
        />
      </EntryFoot>
      <ExamplePictures examples={mine.guidelines.examples} />
    </EntryPage>
  )
}

type MyQuiz = MyQualification['quiz']

const titleOf = ({ quiz }: MyQualification): string => {
  if (quiz.open_attempt !== null) return t.goOnQuiz
  return quiz.attempts_failed > 0 ? t.quizAgain : t.shortQuiz
}

function HowItGoes({ project: { direction } }: { project: Project }) {
  return (
    <EntryPoints
      title={t.howItGoes}
      points={[
        { icon: 'image', words: direction === 'images_of_query' ? t.quizShowsQuery : t.quizShowsCaption },
        { icon: 'check', words: t.quizTells },
        { icon: 'cross', words: t.quizFinal },
      ]}
    />
  )
}

const isUsedUp = ({ attempts_left, open_attempt }: MyQuiz): boolean => attempts_left === 0 && open_attempt === null

/** The page of the guidelines gave way to the quiz; whoever wants to look something up finds them here. */
function GuidelinesAgain({ guidelines }: Pick<MyQualification, 'guidelines'>) {
  if (!guidelines.text.trim() && guidelines.examples.length === 0) return null
  return (
    <Disclosure summary={t.guidelinesAgain}>
      <div className={styles.guidelines}>
        <Markdown>{guidelines.text}</Markdown>
        <WorkedExamples examples={guidelines.examples} />
      </div>
    </Disclosure>
  )
}

function LastResult({ quiz }: { quiz: MyQuiz }) {
  const { last } = quiz
  if (!last) return null
  return (
    <Notice>
      {t.lastTime({
        nRight: last.n_right ?? 0,
        nQuestions: last.n_questions,
        nQuestions2: neededOf(last.n_questions, last.pass_mark),
      })}
      {last.is_excused && ` ${t.notHeldAgainst}`}
      {!isUsedUp(quiz) && ` ${t.nextAsksOthers}`}
    </Notice>
  )
}

function WayIn({ quiz, isPending, onBegin }: { quiz: MyQuiz; isPending: boolean; onBegin: () => void }) {
  if (isUsedUp(quiz)) {
    return <Notice tone="bad">{t.attemptsUsed}</Notice>
  }
  const waitsUntil = quiz.open_attempt === null ? quiz.next_attempt_at : null
  return (
    <>
      <Button
        variant="primary"
        size="large"
        autoFocus
        isPending={isPending}
        isDisabled={waitsUntil !== null}
        onPress={onBegin}
      >
        {quiz.open_attempt === null ? t.beginQuiz : t.goOn}
      </Button>
      {waitsUntil && (
        <p className={styles.note}>{t.nextAttempt({ absoluteTime: absoluteTime(new Date(waitsUntil)) })}</p>
      )}
    </>
  )
}

import type { LabelLooks } from '@/components/ui/label-looks'
import type { Label } from '@/lib/api/contract'
import type { MyQualification, Qualification, QuizAttempt, QuizQuestion } from '@/lib/api/served'
import { formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/qualification'

/** Where somebody stands before the first HIT. */
export type Step = 'read' | 'quiz' | 'ready'

export function stepOf({ is_qualified, guidelines }: MyQualification): Step {
  if (is_qualified) return 'ready'
  return guidelines.is_asked && !guidelines.is_read ? 'read' : 'quiz'
}

/** What is asked of a newcomer in order; the first task ends it. */
export function stepsOf({ guidelines, quiz, is_qualified: isQualified }: MyQualification) {
  return [
    ...(guidelines.is_asked ? [{ label: t.stepRead, isDone: guidelines.is_read }] : []),
    ...(quiz.is_asked ? [{ label: t.stepQuiz, isDone: isQualified || quiz.is_passed }] : []),
    { label: t.stepJudge, isDone: false },
  ]
}

const wordsAMinute = 180
const minutesEach = 20 / 60

/** About how long a newcomer reads the guidelines and their examples. */
export const readingMinutes = ({ guidelines: { text, examples } }: MyQualification): number =>
  text.split(/\s+/).length / wordsAMinute + examples.length * minutesEach

/** About how long a quiz takes, with its feedback. */
export const quizMinutes = ({ quiz }: MyQualification): number => quiz.n_questions * minutesEach

/** How many must be right, of so many questions. */
export const neededOf = (questions: number, mark: number): number => Math.ceil(questions * mark - 1e-9)

export function termsInWords(questions: number, mark: number): string {
  const needed = neededOf(questions, mark)
  const right = needed >= questions ? t.allOfThem : t.atLeast({ needed })
  return t.quizSize({ questions, right, mark: formatShare(mark) })
}

/** What is wrong with the quiz, a sentence each: what keeps everybody from beginning it first. */
export function warningsInWords(terms: Qualification): string[] {
  const { n_questions: asked, n_quiz_controls: there, n_missed: missed } = terms
  const { repeats_from: from, n_quiz_wanted: wanted } = terms
  return [
    ...(there < asked ? [shortageInWords(asked, there)] : []),
    ...(from === null
      ? []
      : [t.quizRepeats({ from, asked, there, attempts: wanted / asked, missing: wanted - there })]),
    ...(missed > 0 ? [t.quizMissed({ missed })] : []),
  ]
}

function shortageInWords(asked: number, there: number): string {
  return there === 0 ? t.quizEmpty : t.quizShort({ asked, there, missing: asked - there })
}

/** The first question without an answer; undefined when all have one. */
export const nextQuestion = (attempt: QuizAttempt): QuizQuestion | undefined =>
  attempt.questions.find((question) => question.feedback === null)

/** "good or unsure". */
export const labelsInWords = (labels: readonly Label[], looks: LabelLooks): string =>
  labels.map((label) => looks[label].said).join(t.or)

import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Page } from '@/components/ui/page-header'
import { EmptyState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import type { QuizAttempt } from '@/lib/api/served'
import { neededOf } from '../state/quiz-words'

export interface QuizResultProps {
  project: Project
  attempt: QuizAttempt
  onEnd: () => void
}

/** How an attempt ended, and the one way on. */
export function QuizResult({ project, attempt, onEnd }: QuizResultProps) {
  const { n_right: right, questions } = attempt
  const count = `${right ?? 0} of ${questions.length} right`
  if (attempt.is_passed) {
    return (
      <Page>
        <EmptyState
          isPage
          title="You passed"
          icon="check"
          action={
            <LinkButton to="/projects/$slug/annotate" params={{ slug: project.slug }} variant="primary" autoFocus>
              Judge the first photograph
            </LinkButton>
          }
        >
          {count}. You know what to look for; the guidelines stay at hand beside the work.
        </EmptyState>
      </Page>
    )
  }
  return (
    <Page>
      <EmptyState
        isPage
        title={attempt.is_passed === null ? 'This attempt does not count' : 'Not passed this time'}
        icon="book"
        action={
          <Button variant="primary" autoFocus onPress={onEnd}>
            See what to do now
          </Button>
        }
      >
        {attempt.is_passed === null
          ? 'The quiz was changed while you were at it. Begin it again; nothing is held against you.'
          : `${count}, and ${neededOf(questions.length, attempt.pass_mark)} were needed.`}
      </EmptyState>
    </Page>
  )
}

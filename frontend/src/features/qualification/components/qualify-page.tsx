import { LinkButton } from '@/components/ui/link-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { absoluteTime } from '@/lib/format/time'
import type { Project } from '@/lib/api/contract'
import type { MyQualification } from '@/lib/api/served'
import { useMyQualification } from '../api/get-mine'
import { stepOf } from '../state/quiz-words'
import { GuidelinesStep } from './guidelines-step'
import { QuizStep } from './quiz-step'

/** What a newcomer does before the first HIT: reads the guidelines, passes the quiz. */
export function QualifyPage({ project }: { project: Project }) {
  const { data: mine, error, isPending, refetch } = useMyQualification(project.slug)
  if (isPending) return <Waiting />
  if (error) {
    return (
      <Page>
        <ErrorState isPage error={error} title="This could not be opened" onRetry={() => void refetch()} />
      </Page>
    )
  }
  switch (stepOf(mine)) {
    case 'read':
      return <GuidelinesStep project={project} guidelines={mine.guidelines} hasQuiz={mine.quiz.is_asked} />
    case 'quiz':
      return <QuizStep project={project} mine={mine} onOver={() => void refetch()} />
    case 'ready':
      return <Ready project={project} mine={mine} />
  }
}

function Waiting() {
  return (
    <Page>
      <PageHeader title="Before you begin" />
      <Skeleton label="what is asked of you" />
    </Page>
  )
}

function Ready({ project, mine: { quiz } }: { project: Project; mine: MyQualification }) {
  return (
    <Page>
      <EmptyState
        isPage
        title="You may begin"
        icon="check"
        action={
          <LinkButton to="/projects/$slug/annotate" params={{ slug: project.slug }} variant="primary" autoFocus>
            Judge the first photograph
          </LinkButton>
        }
      >
        {quiz.is_asked && quiz.holds_until
          ? `You passed the quiz. The pass holds until ${absoluteTime(new Date(quiz.holds_until))}; then you take it again.`
          : 'Nothing more is asked of you. The guidelines are beside the work whenever you want them.'}
      </EmptyState>
    </Page>
  )
}

import { LinkButton } from '@/components/ui/link-button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import type { Project } from '@/lib/api/contract'
import type { MyQualification } from '@/lib/api/served'
import { absoluteTime } from '@/lib/format/time'
import { t } from '@/messages/qualification'
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
        <ErrorState isPage error={error} title={t.notOpened} onRetry={() => void refetch()} />
      </Page>
    )
  }
  switch (stepOf(mine)) {
    case 'read':
      return <GuidelinesStep project={project} mine={mine} />
    case 'quiz':
      return <QuizStep project={project} mine={mine} onOver={() => void refetch()} />
    case 'ready':
      return <Ready project={project} mine={mine} />
  }
}

function Waiting() {
  return (
    <Page>
      <PageHeader title={t.beforeYouBegin} />
      <Skeleton label={t.whatIsAsked} />
    </Page>
  )
}

function Ready({ project, mine: { quiz } }: { project: Project; mine: MyQualification }) {
  return (
    <Page>
      <EmptyState
        isPage
        title={t.mayBegin}
        icon="check"
        action={
          <LinkButton to="/projects/$slug/annotate" params={{ slug: project.slug }} variant="primary" autoFocus>
            {t.judgeFirst}
          </LinkButton>
        }
      >
        {quiz.is_asked && quiz.holds_until
          ? t.passHolds({ absoluteTime: absoluteTime(new Date(quiz.holds_until)) })
          : t.nothingMore}
      </EmptyState>
    </Page>
  )
}

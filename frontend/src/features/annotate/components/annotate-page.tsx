import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { Delayed } from '@/components/ui/skeleton'
import type { NextAssignment, Project } from '@/lib/api/contract'
import { usePageTitle } from '@/lib/use-page-title'
import { useNextAssignment } from '../api/get-next-assignment'
import styles from './annotate-page.module.css'
import { JudgingDesk } from './judging-desk'

export function AnnotatePage({ project }: { project: Project }) {
  usePageTitle(`Annotate ${project.name}`)
  const { data, error, isPending, refetch } = useNextAssignment(project.slug)
  const retry = () => void refetch()
  if (isPending) return <WaitingDesk />
  if (error) {
    return (
      <main>
        <ErrorState isPage error={error} title="No photograph could be fetched" onRetry={retry} />
      </main>
    )
  }
  if (!data.assignment) return <NothingLeft reason={data.reason} onLook={retry} />
  return <JudgingDesk key={data.assignment.id} project={project} assignment={data.assignment} />
}

/** The empty mat, where the photograph will appear; words only when it takes long. */
function WaitingDesk() {
  return (
    <main className={styles.desk} aria-busy="true">
      <div className={styles.mat} />
      <div className={styles.panel}>
        <Delayed>
          <p className={styles.waiting} role="status">
            Fetching a photograph for you.
          </p>
        </Delayed>
      </div>
    </main>
  )
}

function NothingLeft({ reason, onLook }: { reason: NextAssignment['reason']; onLook: () => void }) {
  const isYours = reason === 'all_yours_done'
  return (
    <main>
      <EmptyState
        isPage
        title={isYours ? 'You have judged every photograph here' : 'No photograph waits for you'}
        icon="check"
        action={
          <div className={styles.ways}>
            <LinkButton to="/">Go to your projects</LinkButton>
            <Button variant="primary" onPress={onLook}>
              Look again
            </Button>
          </div>
        }
      >
        {isYours
          ? 'New photographs appear here when the curator adds them. Thank you for the work.'
          : 'Every photograph has the judgments it needs or is with somebody else now. Look again later.'}
      </EmptyState>
    </main>
  )
}

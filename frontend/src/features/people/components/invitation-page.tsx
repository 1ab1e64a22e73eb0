import { LinkButton } from '@/components/ui/link-button'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { asApiError } from '@/lib/api/api-error'
import { useSession } from '@/lib/session/get-session'
import { t } from '@/messages/people'
import { useInvitation } from '../api/get-invitation'
import styles from './door.module.css'
import { JoinAsMe } from './join-as-me'
import { JoinAsNew } from './join-as-new'

/** Where an invitation link leads: join as who is signed in, sign in first, or make an account. */
export function InvitationPage({ token, onJoined }: { token: string; onJoined: (slug: string) => void }) {
  // Asking who is here also sets the CSRF cookie that joining needs.
  useSession()
  const { data: door, error, refetch } = useInvitation(token)
  if (error) return <ClosedDoor error={error} onRetry={() => void refetch()} />
  if (!door) return <Skeleton label={t.theInvitation} rows={2} />
  return door.signed_in_as === null ? (
    <JoinAsNew token={token} door={door} onJoined={onJoined} />
  ) : (
    <JoinAsMe token={token} door={door} onJoined={onJoined} />
  )
}

/** Withdrawn, used or mistyped: the server says which. Only a passing failure is worth another try. */
function ClosedDoor({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isPassing = asApiError(error).isPassing
  return (
    <main className={styles.page}>
      <div className={styles.closed}>
        <ErrorState error={error} title={t.linkClosed} isPage {...(isPassing && { onRetry })} />
        {!isPassing && <LinkButton to="/">{t.toYourProjects}</LinkButton>}
      </div>
    </main>
  )
}

import { Button } from '@/components/ui/button'
import { cx } from '@/components/ui/cx'
import { MoreButton } from '@/components/ui/more-button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { Invitation } from '@/lib/api/served'
import { roleNames } from '@/lib/project/roles'
import { useInvitations } from '../api/get-invitations'
import { useRevokeInvitation } from '../api/revoke-invitation'
import styles from './settings.module.css'

export function InvitationList({ slug }: { slug: string }) {
  const { data, error, isPending, refetch, ...pages } = useInvitations(slug)
  if (isPending) return <Skeleton label="the invitations" />
  if (error)
    return <ErrorState error={error} title="The invitations could not be listed" onRetry={() => void refetch()} />
  const invitations = data.pages.flatMap((page) => page.results)
  if (invitations.length === 0) {
    return <p className={styles.note}>No links were made yet. Invite an annotator to have the captions judged.</p>
  }
  return (
    <>
      <ul className={styles.entries} aria-label="Invitations">
        {invitations.map((invitation) => (
          <InvitationLine key={invitation.id} slug={slug} invitation={invitation} />
        ))}
      </ul>
      <MoreButton {...pages}>Show earlier invitations</MoreButton>
    </>
  )
}

const isOpen = ({ accepted_at, revoked_at, expires_at }: Invitation): boolean =>
  !accepted_at && !revoked_at && Date.parse(expires_at) > Date.now()

function InvitationLine({ slug, invitation }: { slug: string; invitation: Invitation }) {
  const { mutate, isPending } = useRevokeInvitation(slug)
  const revoke = () => mutate(invitation.id, { onError: (error) => showToast(asApiError(error).message, 'bad') })
  const title = `${roleNames[invitation.role]}${invitation.note && `, ${invitation.note}`}`
  const open = isOpen(invitation)
  return (
    <li className={cx(styles.entry, !open && styles.spent)}>
      <div>
        <p className={styles.entryName}>{title}</p>
        <p className={styles.note}>
          <Fate invitation={invitation} />
        </p>
      </div>
      {open && (
        <Button size="small" variant="quiet" isPending={isPending} aria-label={`Withdraw: ${title}`} onPress={revoke}>
          Withdraw
        </Button>
      )}
    </li>
  )
}

function Fate({ invitation }: { invitation: Invitation }) {
  if (invitation.accepted_at) {
    return (
      <>
        Accepted by {invitation.accepted_by ?? 'somebody who has left'} <RelativeTime at={invitation.accepted_at} />
      </>
    )
  }
  if (invitation.revoked_at) {
    return (
      <>
        Withdrawn <RelativeTime at={invitation.revoked_at} />
      </>
    )
  }
  return (
    <>
      {isOpen(invitation) ? 'Open, expires ' : 'Expired '}
      <RelativeTime at={invitation.expires_at} />
    </>
  )
}

import { Button } from '@/components/ui/button'
import { cx } from '@/components/ui/cx'
import { MoreButton } from '@/components/ui/more-button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { Invitation } from '@/lib/api/served'
import { Sentence } from '@/lib/language/sentence'
import { roleNames } from '@/lib/project/roles'
import { t } from '@/messages/people'
import { useInvitations } from '../api/get-invitations'
import { useRevokeInvitation } from '../api/revoke-invitation'
import styles from './settings.module.css'

export function InvitationList({ slug }: { slug: string }) {
  const { data, error, isPending, refetch, ...pages } = useInvitations(slug)
  if (isPending) return <Skeleton label={t.theInvitations} />
  if (error) return <ErrorState error={error} title={t.invitationsNotListed} onRetry={() => void refetch()} />
  const invitations = data.pages.flatMap((page) => page.results)
  if (invitations.length === 0) {
    return <p className={styles.note}>{t.noLinksYet}</p>
  }
  return (
    <>
      <ul className={styles.entries} aria-label={t.invitations}>
        {invitations.map((invitation) => (
          <InvitationLine key={invitation.id} slug={slug} invitation={invitation} />
        ))}
      </ul>
      <MoreButton {...pages}>{t.earlierInvitations}</MoreButton>
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
        <Button
          size="small"
          variant="quiet"
          isPending={isPending}
          aria-label={t.withdrawTitle({ title })}
          onPress={revoke}
        >
          {t.withdraw}
        </Button>
      )}
    </li>
  )
}

function Fate({ invitation }: { invitation: Invitation }) {
  if (invitation.accepted_at) {
    return (
      <Sentence
        of={t.acceptedBy}
        parts={{
          name: invitation.accepted_by ?? t.somebodyGone,
          when: <RelativeTime at={invitation.accepted_at} />,
        }}
      />
    )
  }
  if (invitation.revoked_at) {
    return <Sentence of={t.withdrawn} parts={{ when: <RelativeTime at={invitation.revoked_at} /> }} />
  }
  const expiry = isOpen(invitation) ? t.openExpires : t.expired
  return <Sentence of={expiry} parts={{ when: <RelativeTime at={invitation.expires_at} /> }} />
}

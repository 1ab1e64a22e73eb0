import { Link } from '@tanstack/react-router'
import { type SortedColumn, SortedTable } from '@/components/sorted-table/sorted-table'
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

/** All links of the project, or those of one batch. */
export function InvitationList({ slug, batch }: { slug: string; batch: number | undefined }) {
  const { data, error, isPending, refetch, ...pages } = useInvitations(slug, batch)
  if (isPending) return <Skeleton label={t.theInvitations} />
  if (error) return <ErrorState error={error} title={t.invitationsNotListed} onRetry={() => void refetch()} />
  const invitations = data.pages.flatMap((page) => page.results)
  if (invitations.length === 0) {
    return <p className={styles.note}>{t.noLinksYet}</p>
  }
  return (
    <>
      {batch && (
        <p>
          {t.linksOfOneBatch}{' '}
          <Link to="." search={{}} replace resetScroll={false} activeProps={{}}>
            {t.showAllLinks}
          </Link>
        </p>
      )}
      <SortedTable<Invitation>
        label={t.invitations}
        rows={invitations}
        rowId={({ id }) => String(id)}
        columns={columnsOf(slug)}
      />
      <MoreButton {...pages}>{t.earlierInvitations}</MoreButton>
    </>
  )
}

const isOpen = ({ accepted_at, revoked_at, expires_at }: Invitation): boolean =>
  !accepted_at && !revoked_at && Date.parse(expires_at) > Date.now()

const titleOf = ({ role, note }: Invitation): string => `${roleNames[role]}${note && `, ${note}`}`

const columnsOf = (slug: string): SortedColumn<Invitation>[] => [
  {
    id: 'note',
    title: t.note,
    value: ({ note }) => note,
    cell: ({ note }) => note || '—',
  },
  {
    id: 'role',
    title: t.role,
    onPhone: 'under',
    value: ({ role }) => roleNames[role],
    cell: ({ role }) => roleNames[role],
  },
  {
    id: 'made',
    title: t.madeColumn,
    onPhone: 'under',
    sorts: 'descending',
    value: ({ created_at: at }) => at,
    cell: ({ created_at: at }) => <RelativeTime at={at} />,
  },
  {
    id: 'state',
    title: t.stateColumn,
    onPhone: 'under',
    cell: (invitation) => (
      <span className={cx(!isOpen(invitation) && styles.note)}>
        <Fate invitation={invitation} />
      </span>
    ),
  },
  {
    id: 'deeds',
    title: t.actions,
    isTitleHidden: true,
    onPhone: 'under',
    cell: (invitation) => isOpen(invitation) && <Withdraw slug={slug} invitation={invitation} />,
  },
]

function Withdraw({ slug, invitation }: { slug: string; invitation: Invitation }) {
  const { mutate, isPending } = useRevokeInvitation(slug)
  const revoke = () => mutate(invitation.id, { onError: (error) => showToast(asApiError(error).message, 'bad') })
  const title = titleOf(invitation)
  return (
    <Button size="small" variant="quiet" isPending={isPending} aria-label={t.withdrawTitle({ title })} onPress={revoke}>
      {t.withdraw}
    </Button>
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

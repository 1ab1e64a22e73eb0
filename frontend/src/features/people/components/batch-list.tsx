import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type SortedColumn, SortedTable } from '@/components/sorted-table/sorted-table'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { MoreButton } from '@/components/ui/more-button'
import { RelativeTime } from '@/components/ui/relative-time'
import { ErrorState } from '@/components/ui/states'
import type { InvitationBatch } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { roleNames } from '@/lib/project/roles'
import { t } from '@/messages/people'
import { useInvitationBatches } from '../api/get-invitation-batches'
import { useRevokeBatch } from '../api/revoke-batch'

/** Links that were made at once, with the number in each state. Nothing where there are none. */
export function BatchList({ slug, shown }: { slug: string; shown: number | undefined }) {
  const { data, error, refetch, ...pages } = useInvitationBatches(slug)
  const [closing, setClosing] = useState<InvitationBatch | null>(null)
  if (error) return <ErrorState error={error} title={t.batchesNotListed} onRetry={() => void refetch()} />
  const batches = data?.pages.flatMap((page) => page.results) ?? []
  if (batches.length === 0) return null
  return (
    <>
      <SortedTable<InvitationBatch>
        label={t.batches}
        csvName="invitation-batches.csv"
        rows={batches}
        rowId={({ id }) => String(id)}
        columns={columnsOf(shown, setClosing)}
      />
      <MoreButton {...pages}>{t.earlierBatches}</MoreButton>
      {closing && <CloseDialog slug={slug} batch={closing} onClose={() => setClosing(null)} />}
    </>
  )
}

const nameOf = ({ role, note, n }: InvitationBatch): string => note || t.linksAs({ n, role: roleNames[role] })

const columnsOf = (
  shown: number | undefined,
  onWithdraw: (batch: InvitationBatch) => void,
): SortedColumn<InvitationBatch>[] => [
  {
    id: 'name',
    title: t.batch,
    value: nameOf,
    cell: (batch) => (
      <Link
        to="."
        search={shown === batch.id ? {} : { batch: batch.id }}
        replace
        resetScroll={false}
        activeProps={{}}
        aria-current={shown === batch.id ? 'true' : undefined}
      >
        {nameOf(batch)}
      </Link>
    ),
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
    id: 'expires',
    title: t.expiresColumn,
    onPhone: 'under',
    sorts: 'descending',
    value: ({ expires_at: at }) => at,
    cell: ({ expires_at: at }) => <RelativeTime at={at} />,
  },
  countColumn('n', t.linksColumn, ({ n }) => n),
  countColumn('accepted', t.acceptedColumn, ({ n_accepted: n }) => n),
  countColumn('withdrawn', t.withdrawnColumn, ({ n_withdrawn: n }) => n),
  countColumn('expired', t.expiredColumn, ({ n_expired: n }) => n),
  countColumn('open', t.openColumn, ({ n_open: n }) => n),
  {
    id: 'deeds',
    title: t.actions,
    isTitleHidden: true,
    onPhone: 'under',
    cell: (batch) =>
      batch.n_open > 0 && (
        <Button
          size="small"
          variant="quiet"
          aria-label={t.withdrawTitle({ title: nameOf(batch) })}
          onPress={() => onWithdraw(batch)}
        >
          {t.withdraw}
        </Button>
      ),
  },
]

const countColumn = (
  id: string,
  title: string,
  value: (batch: InvitationBatch) => number,
): SortedColumn<InvitationBatch> => ({
  id,
  title,
  isNumber: true,
  onPhone: 'under',
  value,
  cell: (batch) => formatCount(value(batch)),
})

interface CloseDialogProps {
  slug: string
  batch: InvitationBatch
  onClose: () => void
}

function CloseDialog({ slug, batch, onClose }: CloseDialogProps) {
  const { mutate, isPending, error } = useRevokeBatch(slug)
  return (
    <ConfirmDialog
      title={t.withdrawLinksQuestion({ n: batch.n_open })}
      verb={t.withdraw}
      isOpen
      isPending={isPending}
      error={error}
      onConfirm={() => mutate(batch.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t.withdrawLinksConsequence}
    </ConfirmDialog>
  )
}

import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { Run } from '@/lib/api/served'
import { t } from '@/messages/runs'
import { useCancelRun } from '../api/cancel-run'
import { useRetryRun } from '../api/retry-run'
import { isLive } from '../state/run-looks'

/** Cancel while it lives, retry when it did not end well. */
export function RunDeeds({ run, slug }: { run: Run; slug: string }) {
  if (isLive(run)) return <CancelButton run={run} />
  return run.status === 'succeeded' ? null : <RetryButton run={run} slug={slug} />
}

function CancelButton({ run }: { run: Run }) {
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending, error } = useCancelRun(run.id)
  if (run.cancel_requested) return <Button isDisabled>{t.cancelling}</Button>
  return (
    <>
      <Button icon="stop" onPress={() => setAsking(true)}>
        {t.cancelRun}
      </Button>
      <ConfirmDialog
        title={t.cancelQuestion}
        verb={t.cancelRun}
        isOpen={isAsking}
        isPending={isPending}
        error={error}
        onConfirm={() => mutate(undefined, { onSuccess: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      >
        {t.cancelConsequence}
      </ConfirmDialog>
    </>
  )
}

function RetryButton({ run, slug }: { run: Run; slug: string }) {
  const navigate = useNavigate()
  const { mutate, isPending } = useRetryRun(run.id)
  const retry = () =>
    mutate(undefined, {
      onSuccess: (fresh) =>
        void navigate({ to: '/projects/$slug/walk/runs/$runId', params: { slug, runId: fresh.id } }),
      onError: (error) => showToast(asApiError(error).message, 'bad'),
    })
  return (
    <Button variant="primary" icon="undo" isPending={isPending} onPress={retry}>
      {t.tryAgain}
    </Button>
  )
}

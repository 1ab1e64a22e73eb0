import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { LinkButton } from '@/components/ui/link-button'
import { Notice } from '@/components/ui/notice'
import { ErrorState } from '@/components/ui/states'
import { showToast } from '@/components/ui/toast-store'
import type { Run } from '@/lib/api/served'
import { t } from '@/messages/quality'
import { isLive, usePolicyRun } from '../api/policies'
import styles from './policy-tab.module.css'

export interface ApplyProgressProps {
  slug: string
  version: number
  runId: string
  onOver: (isDone: boolean) => void
}

/** A version is being applied: whether a worker has taken it up, and in the end how it went. */
export function ApplyProgress({ slug, version, runId, onOver }: ApplyProgressProps) {
  const { data: run, error, refetch } = usePolicyRun(runId)
  const queryClient = useQueryClient()
  const end = useEffectEvent((status: Run['status']) => {
    const isDone = status === 'succeeded'
    const said = isDone ? t.inForceNow({ version }) : t.applyEnded({ status })
    showToast(said, isDone ? 'neutral' : 'bad')
    void queryClient.invalidateQueries({ queryKey: ['project', slug, 'quality'] })
    onOver(isDone)
  })
  const ended = run && !isLive(run) ? run.status : null
  useEffect(() => {
    if (ended) end(ended)
  }, [ended])
  if (error) return <ErrorState error={error} title={t.progressUnread} onRetry={() => void refetch()} />
  return (
    <>
      <Notice>
        {t.leavePage({ value: run?.status === 'running' ? t.beingApplied({ version }) : t.waitingForWorker })}
      </Notice>
      <div className={styles.ways}>
        <LinkButton to="/projects/$slug/walk/runs/$runId" params={{ slug, runId }}>
          {t.lookAtRun}
        </LinkButton>
      </div>
    </>
  )
}

import { useRef, useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Disclosure } from '@/components/ui/disclosure'
import { Notes } from '@/components/ui/notes'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { Table } from '@/components/ui/table'
import { ApiError } from '@/lib/api/api-error'
import type { Policy, PolicyEffect, Run } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { say } from '@/lib/language/catalogue'
import { useFocusHere } from '@/lib/layout/use-focus-here'
import { t } from '@/messages/quality'
import { isLive, useApplyPolicy, usePolicyPreview } from '../api/policies'
import { effectInWords, personLooks } from '../state/quality-words'
import { ApplyProgress } from './apply-progress'
import { FindingList } from './finding-list'
import styles from './policy-tab.module.css'
import { StateBadge } from './state-badge'

export interface PolicyPreviewViewProps {
  slug: string
  policy: Policy
  mayCurate: boolean
  onClose: () => void
}

/** Who and what would change if this version were applied now; nothing is written before it is. */
export function PolicyPreviewView({ slug, policy, mayCurate, onClose }: PolicyPreviewViewProps) {
  const { preview, run, error, askAgain } = usePolicyPreview(slug, policy.version)
  const [isAsking, setAsking] = useState(false)
  const [runId, setRunId] = useState<string | null>(null)
  const place = useRef<HTMLElement>(null)
  useFocusHere(place, preview && `shown ${runId ?? ''}`)
  const begin = (id: string) => {
    setRunId(id)
    setAsking(false)
  }
  const end = (isDone: boolean) => {
    setRunId(null)
    if (isDone) onClose()
  }
  if (error) return <ErrorState error={error} title={t.previewFailed} onRetry={askAgain} />
  if (!preview) return <Awaited run={run} onRetry={askAgain} />
  const { effect, findings } = preview
  return (
    <section ref={place} className={styles.preview} aria-labelledby="preview">
      <h3 id="preview" className={styles.subtitle} tabIndex={-1} data-step="">
        {t.whatItWouldChange}
      </h3>
      <Notes notes={effectInWords(effect)} />
      <ChangeTable changes={effect.changes} />
      <Disclosure summary={t.findingsN({ n: findings.length })}>
        <FindingList findings={findings} empty={t.noRuleMet} hasNames />
      </Disclosure>
      {runId ? (
        <ApplyProgress slug={slug} version={policy.version} runId={runId} onOver={end} />
      ) : (
        <div className={styles.ways}>
          {mayCurate && (
            <Button variant="primary" onPress={() => setAsking(true)}>
              {policy.is_in_force ? t.applyAgain : t.applyVersion({ version: policy.version })}
            </Button>
          )}
          <Button onPress={onClose}>{t.leaveAll}</Button>
        </div>
      )}
      {isAsking && (
        <ApplyDialog slug={slug} policy={policy} effect={effect} onBegun={begin} onClose={() => setAsking(false)} />
      )}
    </section>
  )
}

/** A worker is at it, or could not do it. */
function Awaited({ run, onRetry }: { run: Run | undefined; onRetry: () => void }) {
  if (run && !isLive(run) && run.status !== 'succeeded') {
    const why = run.error ?? { code: run.status, message: t.previewEnded }
    const error = new ApiError(500, { ...why, details: null, request_id: null })
    return <ErrorState error={error} title={t.previewFailed} onRetry={onRetry} />
  }
  return (
    <>
      <p className={styles.muted}>{run?.status === 'queued' ? t.waitingForWorker : t.beingWorkedOut}</p>
      <Skeleton label={t.whatWouldChange} rows={3} />
    </>
  )
}

function ChangeTable({ changes }: { changes: PolicyEffect['changes'] }) {
  if (changes.length === 0) return <p className={styles.muted}>{t.nobodyChanges}</p>
  return (
    <Table<PolicyEffect['changes'][number]>
      label={t.whoseState}
      rows={changes}
      rowId={(change) => String(change.user.id)}
      columns={[
        {
          id: 'who',
          title: t.annotator,
          isRowHeader: true,
          cell: ({ user }) => user.display_name || user.username,
        },
        { id: 'was', title: t.now, onPhone: 'under', cell: ({ was }) => <StateBadge look={personLooks[was]} /> },
        {
          id: 'becomes',
          title: t.then,
          onPhone: 'under',
          cell: (change) => (
            <span className={styles.badges}>
              <StateBadge look={personLooks[change.becomes]} /> {change.is_by_hand && <Badge>{t.byHand}</Badge>}
            </span>
          ),
        },
        { id: 'n', title: t.judgments, isNumber: true, onPhone: 'under', cell: (change) => signed(change.n_judgments) },
        {
          id: 'why',
          title: t.why,
          onPhone: 'under',
          cell: ({ reasons }) => <span className={styles.why}>{reasons.map(say).join(' ')}</span>,
        },
      ]}
    />
  )
}

const signed = (count: number): string =>
  count === 0 ? '0' : `${count < 0 ? '−' : '+'}${formatCount(Math.abs(count))}`

interface ApplyDialogProps {
  slug: string
  policy: Policy
  effect: PolicyEffect
  /** The run that applies it has been asked for; a worker takes it up. */
  onBegun: (runId: string) => void
  onClose: () => void
}

function ApplyDialog({ slug, policy, effect, onBegun, onClose }: ApplyDialogProps) {
  const { mutate, isPending, error } = useApplyPolicy(slug)
  const apply = () => mutate(policy.version, { onSuccess: ({ run }) => onBegun(run) })
  return (
    <ConfirmDialog
      title={t.applyQuestion({ version: policy.version })}
      verb={t.applyIt}
      isOpen
      isPending={isPending}
      error={error}
      onConfirm={apply}
      onClose={onClose}
    >
      <p>{t.applyConsequence({ n: effect.changes.length, effect: effectInWords(effect).join(' ') })}</p>
    </ConfirmDialog>
  )
}

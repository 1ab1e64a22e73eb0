import { useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { Policy, PolicyCollector, PolicyDetail } from '@/lib/api/served'
import { plural } from '@/lib/format/numbers'
import { usePolicy } from '../api/policies'
import { effectInWords } from '../state/quality-words'
import { collectorOf, ruleInWords } from '../state/rules'
import { PolicyPreviewView } from './policy-preview'
import styles from './policy-tab.module.css'

export interface PolicyViewProps {
  slug: string
  mayCurate: boolean
  policy: Policy
  collectors: readonly PolicyCollector[]
}

/** One version: its rules in sentences, what it would change now, and what it changed when it was applied. */
export function PolicyView({ slug, mayCurate, policy, collectors }: PolicyViewProps) {
  const [isLooking, setLooking] = useState(false)
  const by = policy.created_by && (policy.created_by.display_name || policy.created_by.username)
  return (
    <article className={styles.policy} aria-label={`Version ${policy.version}`}>
      <header>
        <h2 className={styles.title}>
          Version {policy.version} {policy.is_in_force && <Badge tone="good">In force</Badge>}
        </h2>
        <p className={styles.muted}>
          Written <RelativeTime at={policy.created_at} />
          {by && ` by ${by}`}.{policy.note && ` ${policy.note}`}
        </p>
      </header>
      <ol className={styles.rules} aria-label="Rules">
        {policy.rules.map((rule, place) => (
          <li key={place}>{ruleInWords(rule, collectorOf(collectors, rule))}</li>
        ))}
        {policy.rules.length === 0 && <li className={styles.muted}>No rules: everybody’s judgments count.</li>}
      </ol>
      {isLooking ? (
        <PolicyPreviewView slug={slug} policy={policy} mayCurate={mayCurate} onClose={() => setLooking(false)} />
      ) : (
        <div>
          <Button variant="primary" icon="search" onPress={() => setLooking(true)}>
            See what it would change now
          </Button>
        </div>
      )}
      <Applied slug={slug} version={policy.version} />
    </article>
  )
}

/** When it was applied, and what that changed. */
function Applied({ slug, version }: { slug: string; version: number }) {
  const { data, error, isPending, refetch } = usePolicy(slug, version)
  if (isPending) return <Skeleton label="its history" rows={1} />
  if (error) return <ErrorState error={error} title="Its history could not be shown" onRetry={() => void refetch()} />
  return (
    <section aria-labelledby="applied">
      <h3 id="applied" className={styles.subtitle}>
        Applied
      </h3>
      {data.replays.length === 0 ? (
        <p className={styles.muted}>Not yet. Until then it changes nothing.</p>
      ) : (
        <ol className={styles.history}>
          {data.replays.map((replay) => (
            <Replay key={replay.id} replay={replay} />
          ))}
        </ol>
      )}
    </section>
  )
}

function Replay({ replay: { applied_at: at, applied_by: by, effect } }: { replay: PolicyDetail['replays'][number] }) {
  return (
    <li>
      <RelativeTime at={at} /> {by ? `by ${by.display_name || by.username}` : 'by the clock'}:{' '}
      {plural(effect.changes.length, 'person', 'people')} changed state.{' '}
      <span className={styles.muted}>{effectInWords(effect, true).join(' ')}</span>
    </li>
  )
}

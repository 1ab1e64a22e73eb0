import { useRef, useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { Policy, PolicyDetail } from '@/lib/api/served'
import { Sentence } from '@/lib/language/sentence'
import { useFocusHere } from '@/lib/layout/use-focus-here'
import { t } from '@/messages/quality'
import { usePolicy } from '../api/policies'
import { effectInWords } from '../state/quality-words'
import { PolicyPreviewView } from './policy-preview'
import styles from './policy-tab.module.css'
import { RuleStrip } from './rule-strip'

export interface PolicyViewProps {
  slug: string
  mayCurate: boolean
  policy: Policy
}

/** One version: its rules in sentences, what it would change now, and what it changed when it was applied. */
export function PolicyView({ slug, mayCurate, policy }: PolicyViewProps) {
  const [isLooking, setLooking] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useFocusHere(place, isLooking)
  const by = policy.created_by && (policy.created_by.display_name || policy.created_by.username)
  const when = <RelativeTime at={policy.created_at} />
  return (
    <article className={styles.policy} aria-label={t.version({ version: policy.version })}>
      <header>
        <h2 className={styles.title} tabIndex={-1} data-step="">
          {t.version({ version: policy.version })} {policy.is_in_force && <Badge tone="accent">{t.inForce}</Badge>}
        </h2>
        <p className={styles.muted}>
          {by ? <Sentence of={t.writtenBy} parts={{ when, name: by }} /> : <Sentence of={t.written} parts={{ when }} />}
          .{policy.note && ` ${policy.note}`}
        </p>
      </header>
      <Standing policy={policy} />
      <ol className={styles.rules} aria-label={t.rules}>
        {policy.rules.map((rule, at) => (
          <li key={at}>
            <RuleStrip slug={slug} rule={rule} />
          </li>
        ))}
        {policy.rules.length === 0 && <li className={styles.muted}>{t.noRules}</li>}
      </ol>
      <div ref={place}>
        {isLooking ? (
          <PolicyPreviewView slug={slug} policy={policy} mayCurate={mayCurate} onClose={() => setLooking(false)} />
        ) : (
          <Button variant="primary" icon="search" onPress={() => setLooking(true)}>
            {t.seeChange}
          </Button>
        )}
      </div>
      <Applied slug={slug} version={policy.version} />
    </article>
  )
}

/** What the version does as long as nobody applies it, and from then on. */
function Standing({ policy }: { policy: Policy }) {
  return <p className={styles.muted}>{policy.is_in_force ? t.inForceMeans : t.notInForceMeans}</p>
}

/** When it was applied, and what that changed. */
function Applied({ slug, version }: { slug: string; version: number }) {
  const { data, error, isPending, refetch } = usePolicy(slug, version)
  if (isPending) return <Skeleton label={t.itsHistory} rows={1} />
  if (error) return <ErrorState error={error} title={t.historyNotShown} onRetry={() => void refetch()} />
  return (
    <section aria-labelledby="applied">
      <h3 id="applied" className={styles.subtitle}>
        {t.applied}
      </h3>
      {data.replays.length === 0 ? (
        <p className={styles.muted}>{t.notYet}</p>
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

function Replay({ replay: { applied_at, applied_by: by, effect } }: { replay: PolicyDetail['replays'][number] }) {
  const n = effect.changes.length
  const when = <RelativeTime at={applied_at} />
  return (
    <li>
      {by ? (
        <Sentence
          of={({ when: at }) => t.changedBy({ when: at, n, name: by.display_name || by.username })}
          parts={{ when }}
        />
      ) : (
        <Sentence of={({ when: at }) => t.changedByClock({ when: at, n })} parts={{ when }} />
      )}{' '}
      <span className={styles.muted}>{effectInWords(effect, true).join(' ')}</span>
    </li>
  )
}

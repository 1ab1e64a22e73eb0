import { useRef, useState } from 'react'
import { ActionButton } from '@/components/ui/action-button'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { cx } from '@/components/ui/cx'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { Policy, PolicyDetail, PolicyRule } from '@/lib/api/served'
import { Sentence } from '@/lib/language/sentence'
import { useFocusHere } from '@/lib/layout/use-focus-here'
import { t } from '@/messages/quality'
import { usePolicy } from '../api/policies'
import { effectInWords } from '../state/quality-words'
import { PolicyPreviewView } from './policy-preview'
import styles from './policy-tab.module.css'
import { RuleFigures, RuleRow, RuleWords } from './rule-strip'

export interface PolicyViewProps {
  slug: string
  mayCurate: boolean
  policy: Policy
}

/** One version: its rules with the annotators over their lines now, what it would change, and what it changed when it was applied. */
export function PolicyView({ slug, mayCurate, policy }: PolicyViewProps) {
  const [isLooking, setLooking] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useFocusHere(place, isLooking)
  const { data: detail } = usePolicy(slug, policy.version)
  return (
    <article className={styles.policy} aria-label={t.version({ version: policy.version })}>
      <header className={styles.head}>
        <div className={styles.about}>
          <div className={styles.title}>
            <h2 className={styles.name} tabIndex={-1} data-step="">
              {t.version({ version: policy.version })}
            </h2>
            <Badge tone={policy.is_in_force ? 'accent' : 'neutral'}>
              {policy.is_in_force ? t.inForce : t.notInForce}
            </Badge>
          </div>
          <About policy={policy} />
        </div>
        {mayCurate && <ActionButton id="policy.new" icon="plus" showsKey preventFocusOnPress={false} />}
        <div ref={place} className={cx(isLooking && styles.looking)}>
          {isLooking ? (
            <PolicyPreviewView slug={slug} policy={policy} mayCurate={mayCurate} onClose={() => setLooking(false)} />
          ) : (
            <Button variant="primary" icon="search" onPress={() => setLooking(true)}>
              {t.seeChange}
            </Button>
          )}
        </div>
      </header>
      <RuleFigures slug={slug} rules={policy.rules} nUses={detail?.replays.length} />
      <RuleList slug={slug} rules={policy.rules} replays={detail?.replays} />
      <Applied slug={slug} version={policy.version} />
    </article>
  )
}

/** Who wrote it and why, and what it does as long as nobody applies it, and from then on. */
function About({ policy }: { policy: Policy }) {
  const by = policy.created_by && (policy.created_by.display_name || policy.created_by.username)
  const when = <RelativeTime at={policy.created_at} />
  return (
    <>
      <p className={styles.muted}>
        {by ? <Sentence of={t.writtenBy} parts={{ when, name: by }} /> : <Sentence of={t.written} parts={{ when }} />}.
        {policy.note && ` ${policy.note}`}
      </p>
      <p className={styles.muted}>{policy.is_in_force ? t.inForceMeans : t.notInForceMeans}</p>
    </>
  )
}

type Replays = PolicyDetail['replays']

export interface RuleListProps {
  slug: string
  rules: readonly PolicyRule[]
  /** When the version was applied, newest first; none for rules that nobody saved. */
  replays?: Replays | undefined
}

/** Rules to read, each with the figures of all annotators, and those over its line now. */
export function RuleList({ slug, rules, replays }: RuleListProps) {
  if (rules.length === 0) return <p className={styles.muted}>{t.noRules}</p>
  return (
    <ol className={styles.rules} aria-label={t.rules}>
      {rules.map((rule, at) => (
        <li key={at}>
          <RuleRow slug={slug} rule={rule}>
            <RuleWords rule={rule} />
            {replays && replays.length > 0 && <LastUse rule={rule} replays={replays} />}
          </RuleRow>
        </li>
      ))}
    </ol>
  )
}

/** When a kind of rule last gave somebody a new status. */
function LastUse({ rule, replays }: { rule: PolicyRule; replays: Replays }) {
  const byRule = ({ effect }: Replays[number]) =>
    effect.changes.filter(({ collectors }) => collectors.includes(rule.collector)).length
  const last = replays.find((replay) => byRule(replay) > 0)
  if (!last) return <p className={styles.small}>{t.changedNobody}</p>
  return (
    <p className={styles.small}>
      <Sentence
        of={({ when }) => t.lastChanged({ when, n: byRule(last) })}
        parts={{ when: <RelativeTime at={last.applied_at} /> }}
      />
    </p>
  )
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

function Replay({ replay: { applied_at, applied_by: by, effect } }: { replay: Replays[number] }) {
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

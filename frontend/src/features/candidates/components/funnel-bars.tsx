import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from '@/components/ui/cx'
import type { Funnel } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/candidates'
import type { Flow, FunnelStep } from '../state/funnel-steps'
import { ruleWords } from '../state/rule-words'
import type { FunnelSearch } from './funnel-page'
import styles from './funnel-page.module.css'

export interface FunnelBarsProps {
  slug: string
  flow: Flow
  funnel: Funnel
  search: FunnelSearch
}

/** Each rule in the order of the chain with what it dropped or repaired; it leads to its examples. */
export function FunnelBars({ slug, flow, funnel, search }: FunnelBarsProps) {
  return (
    <section aria-label={t.fromInToKept}>
      <ol className={styles.steps}>
        <Plain name={t.cameIn} count={flow.n_in} />
        {flow.n_new > 0 && <Plain name={t.notCleanedYet} count={flow.n_new} />}
        {flow.steps.map((step) => (
          <li key={step.rule}>
            <RuleLink slug={slug} rule={step.rule} search={search}>
              <StepCounts step={step} />
            </RuleLink>
          </li>
        ))}
        <Plain name={t.kept} count={flow.n_kept} />
      </ol>
      <Reviews slug={slug} flow={flow} nByHand={search.source ? 0 : funnel.n_kept_by_hand} search={search} />
    </section>
  )
}

function Plain({ name, count }: { name: string; count: number }) {
  return (
    <li className={styles.step}>
      <span className={styles.name}>{name}</span>
      <span className={styles.count}>{formatCount(count)}</span>
    </li>
  )
}

interface RuleLinkProps {
  slug: string
  rule: string
  search: FunnelSearch
  children: ReactNode
}

/** A rule by its name; leads to its examples. */
function RuleLink({ slug, rule, search, children }: RuleLinkProps) {
  const { name, does } = ruleWords(rule)
  const isOpen = search.rule === rule
  return (
    <Link
      to="/projects/$slug/cleaning"
      params={{ slug }}
      search={{ rule, ...(search.source && { source: search.source }) }}
      resetScroll={false}
      className={cx(styles.step, styles.link, isOpen && styles.open)}
      activeProps={{}}
      {...(isOpen && { 'aria-current': 'page' as const })}
      activeOptions={{ includeSearch: true }}
      title={does}
      preload={false}
    >
      <span className={styles.name}>{name}</span>
      {children}
    </Link>
  )
}

function StepCounts({ step: { n_dropped, n_repaired } }: { step: FunnelStep }) {
  return (
    <span className={styles.count}>
      {n_dropped > 0 && <span>{t.droppedN({ nDropped: formatCount(n_dropped) })}</span>}
      {n_repaired !== null && n_repaired > 0 && (
        <span className={styles.repaired}>{t.repairedN({ nRepaired: formatCount(n_repaired) })}</span>
      )}
    </span>
  )
}

/** What nothing was dropped for: flags, and what people kept against the rules. */
function Reviews(props: { slug: string; flow: Flow; nByHand: number; search: FunnelSearch }) {
  const { slug, flow, nByHand, search } = props
  if (flow.flags.length === 0 && nByHand === 0) return null
  const rows = [...flow.flags, ...(nByHand > 0 ? [['kept_by_hand', nByHand] as const] : [])]
  return (
    <>
      <h2 className={styles.title}>{t.toLookAt}</h2>
      <p className={styles.note}>{t.toLookAtNote}</p>
      <ul className={styles.steps}>
        {rows.map(([flag, count]) => (
          <li key={flag}>
            <RuleLink slug={slug} rule={flag} search={search}>
              <span className={styles.count}>{formatCount(count)}</span>
            </RuleLink>
          </li>
        ))}
      </ul>
    </>
  )
}

import { type ReactNode, useRef, useState } from 'react'
import { ActionButton } from '@/components/ui/action-button'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { cx } from '@/components/ui/cx'
import { LinkButton } from '@/components/ui/link-button'
import { MoreButton } from '@/components/ui/more-button'
import { Notice } from '@/components/ui/notice'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import { asApiError } from '@/lib/api/api-error'
import type { Policy, PolicyDefaults } from '@/lib/api/served'
import { useFocusHere } from '@/lib/layout/use-focus-here'
import { t } from '@/messages/quality'
import { policyActions } from '../actions'
import { useCreatePolicy, usePolicies, usePolicyDefaults } from '../api/policies'
import { PolicyForm } from './policy-form'
import styles from './policy-tab.module.css'
import { PolicyView, RuleList } from './policy-view'
import { RuleFigures } from './rule-strip'

/** By which rules judgments count: versions that are never changed, and what each would change before it is applied. */
export function PolicyTab({ slug, mayCurate }: { slug: string; mayCurate: boolean }) {
  const policies = usePolicies(slug)
  const defaults = usePolicyDefaults(slug)
  const error = policies.error ?? defaults.error
  if (error) {
    const retry = () => void Promise.all([policies.refetch(), defaults.refetch()])
    return <ErrorState error={error} title={t.policyNotShown} onRetry={retry} />
  }
  if (!policies.data || !defaults.data) return <Skeleton label={t.thePolicy} rows={4} />
  return (
    <Versions
      slug={slug}
      mayCurate={mayCurate}
      versions={policies.data.pages.flatMap((page) => page.results)}
      defaults={defaults.data}
      more={<MoreButton {...policies}>{t.olderVersions}</MoreButton>}
    />
  )
}

interface VersionsProps {
  slug: string
  mayCurate: boolean
  versions: readonly Policy[]
  defaults: PolicyDefaults
  more: ReactNode
}

function Versions({ slug, mayCurate, versions, defaults, more }: VersionsProps) {
  const [chosen, setChosen] = useState<number | 'new' | null>(null)
  const place = useRef<HTMLDivElement>(null)
  useActions(policyActions, { 'policy.new': { when: () => mayCurate, perform: () => setChosen('new') } })
  useFocusHere(place, chosen)
  const inForce = versions.find((version) => version.is_in_force)
  const open = versions.find(({ version }) => version === chosen) ?? inForce ?? versions[0]
  return (
    <div ref={place}>
      {chosen === 'new' ? (
        <PolicyForm
          slug={slug}
          defaults={defaults}
          from={open}
          onSaved={({ version }) => setChosen(version)}
          onClose={() => setChosen(null)}
        />
      ) : open ? (
        <div className={cx(versions.length > 1 && styles.split)}>
          <PolicyView key={open.version} slug={slug} mayCurate={mayCurate} policy={open} />
          {versions.length > 1 && (
            <nav className={styles.versions} aria-label={t.versions}>
              <h3 className={styles.subtitle}>{t.versions}</h3>
              <VersionList versions={versions} open={open} onOpen={setChosen} />
              {more}
            </nav>
          )}
        </div>
      ) : (
        <NoPolicy slug={slug} mayCurate={mayCurate} defaults={defaults} />
      )}
    </div>
  )
}

interface VersionListProps {
  versions: readonly Policy[]
  open: Policy
  onOpen: (version: number) => void
}

function VersionList({ versions, open, onOpen }: VersionListProps) {
  return (
    <ol>
      {versions.map((version) => (
        <li key={version.version}>
          <button
            type="button"
            className={cx(styles.version, version === open && styles.isOpen)}
            aria-current={version === open ? 'true' : undefined}
            onClick={() => onOpen(version.version)}
          >
            <span>{t.version({ version: version.version })}</span>{' '}
            {version.is_in_force && <Badge tone="accent">{t.inForce}</Badge>}
            <small>
              <RelativeTime at={version.created_at} />
            </small>
          </button>
        </li>
      ))}
    </ol>
  )
}

/** What the rules that Connote suggests would find now, so that nobody begins with an empty form. */
function NoPolicy({ slug, mayCurate, defaults }: { slug: string; mayCurate: boolean; defaults: PolicyDefaults }) {
  const { mutate, isPending, error } = useCreatePolicy(slug)
  return (
    <section className={styles.policy}>
      <header className={styles.head}>
        <div className={styles.about}>
          <h2 className={styles.title}>{t.noRulesYet}</h2>
          <p className={styles.muted}>{mayCurate ? t.noRulesCurator : t.noRulesOthers}</p>
        </div>
        {mayCurate ? (
          <>
            <ActionButton id="policy.new" showsKey preventFocusOnPress={false} />
            <Button variant="primary" isPending={isPending} onPress={() => mutate({ rules: defaults.rules, note: '' })}>
              {t.saveSuggested}
            </Button>
          </>
        ) : (
          <LinkButton to="/projects/$slug/quality" params={{ slug }} search={{ tab: 'annotators' }}>
            {t.seeAnnotators}
          </LinkButton>
        )}
      </header>
      {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
      <RuleFigures slug={slug} rules={defaults.rules} />
      <RuleList slug={slug} rules={defaults.rules} />
    </section>
  )
}

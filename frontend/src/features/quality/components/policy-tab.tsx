import { type ReactNode, useRef, useState } from 'react'
import { ActionButton } from '@/components/ui/action-button'
import { Badge } from '@/components/ui/badge'
import { cx } from '@/components/ui/cx'
import { LinkButton } from '@/components/ui/link-button'
import { MoreButton } from '@/components/ui/more-button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { useActions } from '@/lib/actions/action-context'
import type { Policy, PolicyDefaults } from '@/lib/api/served'
import { useFocusHere } from '@/lib/layout/use-focus-here'
import { t } from '@/messages/quality'
import { policyActions } from '../actions'
import { usePolicies, usePolicyDefaults } from '../api/policies'
import { PolicyForm } from './policy-form'
import styles from './policy-tab.module.css'
import { PolicyView } from './policy-view'

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
        <div className={styles.split}>
          <nav className={styles.versions} aria-label={t.versions}>
            {mayCurate && <ActionButton id="policy.new" icon="plus" showsKey preventFocusOnPress={false} />}
            <VersionList versions={versions} open={open} onOpen={setChosen} />
            {more}
          </nav>
          <PolicyView key={open.version} slug={slug} mayCurate={mayCurate} policy={open} />
        </div>
      ) : (
        <NoPolicy slug={slug} mayCurate={mayCurate} />
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

function NoPolicy({ slug, mayCurate }: { slug: string; mayCurate: boolean }) {
  return (
    <EmptyState
      title={t.noRulesYet}
      icon="settings"
      action={
        mayCurate ? (
          <ActionButton id="policy.new" variant="primary" showsKey preventFocusOnPress={false} />
        ) : (
          <LinkButton to="/projects/$slug/quality" params={{ slug }} search={{ tab: 'annotators' }}>
            {t.seeAnnotators}
          </LinkButton>
        )
      }
    >
      {mayCurate ? t.noRulesCurator : t.noRulesOthers}
    </EmptyState>
  )
}

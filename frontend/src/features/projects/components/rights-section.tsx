import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { MoreButton } from '@/components/ui/more-button'
import { RelativeTime } from '@/components/ui/relative-time'
import { SettingsSection } from '@/components/ui/settings-section'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { RightsRecord } from '@/lib/api/served'
import { Sentence } from '@/lib/language/sentence'
import { roleNames } from '@/lib/project/roles'
import { t } from '@/messages/projects'
import { useRightsRecords } from '../api/get-rights-records'
import { knobTitles } from '../state/knobs'
import styles from './rights-section.module.css'

/** Who changed roles, members and settings of the project, and when. Read when somebody asks for it. */
export function RightsSection({ slug }: { slug: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <SettingsSection title={t.record} note={t.recordNote}>
      {isOpen ? (
        <Records slug={slug} />
      ) : (
        <div>
          <Button onPress={() => setOpen(true)}>{t.showRecord}</Button>
        </div>
      )}
    </SettingsSection>
  )
}

function Records({ slug }: { slug: string }) {
  const { data, error, isPending, refetch, ...pages } = useRightsRecords(slug, true)
  if (isPending) return <Skeleton label={t.record} />
  if (error) return <ErrorState error={error} title={t.recordNotShown} onRetry={() => void refetch()} />
  const records = data.pages.flatMap((page) => page.results)
  if (records.length === 0) return <p className={styles.note}>{t.noRecord}</p>
  return (
    <>
      <ol className={styles.records} aria-label={t.record}>
        {records.map((record) => (
          <li key={record.id} className={styles.record}>
            <Record record={record} />
          </li>
        ))}
      </ol>
      <MoreButton {...pages}>{t.moreRecord}</MoreButton>
    </>
  )
}

function Record({ record }: { record: RightsRecord }) {
  const changes = changesOf(record)
  return (
    <>
      <p>
        {actionNames[record.action]}
        {record.subject && record.subject.username !== record.actor?.username && (
          <>
            {': '}
            <bdi>{record.subject.display_name}</bdi>
          </>
        )}
      </p>
      {changes.map(({ name, before, after }) => (
        <p key={name} className={styles.change}>
          <span>{name}</span> <bdi>{before ?? '–'}</bdi> → <bdi>{after ?? '–'}</bdi>
        </p>
      ))}
      <p className={styles.note}>
        <Sentence
          of={t.byWhom}
          parts={{
            who: <bdi>{record.actor ? record.actor.display_name : t.theServer}</bdi>,
            when: <RelativeTime at={record.created_at} />,
          }}
        />
      </p>
    </>
  )
}

interface Change {
  name: string
  before: string | null
  after: string | null
}

/** What has a name on this page, before and after; numbers of tokens and the like stay in the API. */
function changesOf({ before, after }: RightsRecord): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((key) => {
    const name = nameOf(key)
    return name ? [{ name, before: shown(key, before[key]), after: shown(key, after[key]) }] : []
  })
}

const ownNames: Readonly<Record<string, string>> = { role: t.role }

const nameOf = (key: string): string | undefined =>
  ownNames[key] ?? (key in knobTitles ? knobTitles[key as keyof typeof knobTitles] : undefined)

const longest = 80

function shown(key: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  if (key === 'role') return roleNames[value as keyof typeof roleNames]
  if (typeof value === 'boolean') return value ? t.yes : t.no
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

const actionNames: Readonly<Record<RightsRecord['action'], string>> = {
  member_joined: t.memberJoined,
  member_removed: t.memberRemoved,
  role_changed: t.roleChanged,
  settings_changed: t.settingsChanged,
  invitation_made: t.invitationMade,
  invitation_withdrawn: t.invitationWithdrawn,
  reset_link_made: t.resetLinkMade,
  password_reset: t.passwordReset,
  password_changed: t.passwordChanged,
  token_created: t.tokenCreated,
  token_revoked: t.tokenRevoked,
  account_changed: t.accountChanged,
  account_erased: t.accountErased,
  project_deleted: t.projectDeleted,
}

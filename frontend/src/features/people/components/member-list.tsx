import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type SortedColumn, SortedTable } from '@/components/sorted-table/sorted-table'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { type FilterLink, FilterLinks } from '@/components/ui/filter-links'
import { Menu } from '@/components/ui/menu'
import { MoreButton } from '@/components/ui/more-button'
import { ProgressBar } from '@/components/ui/progress-bar'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { showToast } from '@/components/ui/toast-store'
import { TriggerButton } from '@/components/ui/trigger-button'
import { useAnnotators } from '@/lib/annotators/get-annotators'
import { asApiError } from '@/lib/api/api-error'
import type { Project, Role } from '@/lib/api/contract'
import type { AnnotatorRow } from '@/lib/api/figures'
import type { Member } from '@/lib/api/served'
import { formatCount, formatShare } from '@/lib/format/numbers'
import { inSentence } from '@/lib/language/language'
import { roleDuties, roleNames } from '@/lib/project/roles'
import { useMe } from '@/lib/session/get-session'
import { t } from '@/messages/people'
import { useChangeRole } from '../api/change-role'
import { useMembers } from '../api/get-members'
import { useRemoveMember } from '../api/remove-member'
import { EraseMemberDialog, ResetLinkDialog } from './account-dialogs'
import styles from './settings.module.css'

export function MemberList({ project, onLeft }: { project: Project; onLeft: () => void }) {
  const { data, error, isPending, refetch, ...pages } = useMembers(project.slug)
  const [leaving, setLeaving] = useState<Member | null>(null)
  const [resetting, setResetting] = useState<Member | null>(null)
  const [erasing, setErasing] = useState<Member | null>(null)
  const me = useMe()
  const { role: asked }: Record<string, unknown> = useSearch({ strict: false })
  const work = useAnnotators(project.slug).data
  if (isPending) return <Skeleton label={t.theMembers} />
  if (error) return <ErrorState error={error} title={t.membersNotListed} onRetry={() => void refetch()} />
  const members = data.pages.flatMap((page) => page.results)
  const shownRole = roles.find((role) => role === asked)
  const shown = shownRole ? members.filter(({ role }) => role === shownRole) : members
  return (
    <>
      <FilterLinks label={t.filterByRole} links={linksOf(members, shownRole)} />
      <SortedTable<Person>
        label={t.members}
        csvName="people.csv"
        choiceName="people"
        rows={shown.map((member) => ({ member, work: work?.find(({ user }) => user.username === member.username) }))}
        rowId={({ member }) => String(member.id)}
        columns={columnsOf({
          slug: project.slug,
          limit: project.hits_per_annotator,
          myName: me?.username,
          mayChange: project.role === 'curator',
          onRemove: setLeaving,
          onReset: setResetting,
          onErase: setErasing,
        })}
      />
      <MoreButton {...pages}>{t.moreMembers}</MoreButton>
      {leaving && (
        <RemoveDialog
          project={project}
          member={leaving}
          isMe={leaving.username === me?.username}
          onClose={() => setLeaving(null)}
          onLeft={onLeft}
        />
      )}
      {resetting && <ResetLinkDialog slug={project.slug} member={resetting} onClose={() => setResetting(null)} />}
      {erasing && <EraseMemberDialog slug={project.slug} member={erasing} onClose={() => setErasing(null)} />}
    </>
  )
}

function linksOf(members: readonly Member[], shown: Role | undefined): FilterLink[] {
  const link = (id: string, label: string, n: number, role?: Role): FilterLink => ({
    id,
    label,
    n,
    isOn: role === shown,
    search: role ? { role } : {},
  })
  return [
    link('all', t.everyRole, members.length),
    ...roles.map((role) => link(role, roleNames[role], members.filter((each) => each.role === role).length, role)),
  ]
}

interface Person {
  member: Member
  /** What they did here; nothing while it is not known, and of those who did not begin. */
  work: AnnotatorRow | undefined
}

interface MemberDeeds {
  slug: string
  /** How many tasks one person may submit. Null: any number. */
  limit: number | null
  myName: string | undefined
  mayChange: boolean
  onRemove: (member: Member) => void
  onReset: (member: Member) => void
  onErase: (member: Member) => void
}

function columnsOf(deeds: MemberDeeds): SortedColumn<Person>[] {
  const { slug, limit, myName, mayChange } = deeds
  return [
    {
      id: 'name',
      title: t.displayName,
      value: ({ member }) => member.display_name,
      cell: ({ member }) => <Name member={member} isMe={member.username === myName} />,
    },
    {
      id: 'role',
      title: t.role,
      onPhone: 'beside',
      value: ({ member }) => roleNames[member.role],
      cell: ({ member }) => (mayChange ? <RoleMenu slug={slug} member={member} /> : roleNames[member.role]),
    },
    {
      id: 'joined',
      title: t.joinedColumn,
      onPhone: 'under',
      sorts: 'descending',
      value: ({ member }) => member.joined_at,
      cell: ({ member }) => <RelativeTime at={member.joined_at} />,
    },
    {
      id: 'tasks',
      title: t.tasksColumn,
      isNumber: true,
      onPhone: 'under',
      value: ({ work }) => work?.hits,
      cell: ({ work }) => (work ? <Tasks slug={slug} work={work} limit={limit} /> : '—'),
    },
    {
      id: 'agreement',
      title: t.agreementColumn,
      isNumber: true,
      onPhone: 'under',
      value: ({ work }) => work?.agreement?.share,
      cell: ({ work }) => (work?.agreement ? <Agreement share={work.agreement.share} /> : '—'),
    },
    {
      id: 'last',
      title: t.lastColumn,
      onPhone: 'under',
      sorts: 'descending',
      value: lastSeen,
      cell: (person) => <LastSeen at={lastSeen(person)} />,
    },
    {
      id: 'deeds',
      title: t.actions,
      isTitleHidden: true,
      onPhone: 'under',
      cell: ({ member }) => <Deeds {...deeds} member={member} />,
    },
  ]
}

/** The newest of what is known: use of the site, or a task that a program submitted for the person. */
function lastSeen({ member, work }: Person): string | undefined {
  const [newest] = [member.last_seen_at, work?.last_active_at]
    .filter((at) => at != null)
    .toSorted((a, b) => Date.parse(b) - Date.parse(a))
  return newest
}

function LastSeen({ at }: { at: string | undefined }) {
  return at ? <RelativeTime at={at} /> : '—'
}

function Name({ member: { username, display_name: name }, isMe }: { member: Member; isMe: boolean }) {
  return (
    <span className={styles.entryName}>
      {name}
      {isMe && t.youMark}
      {username !== name && <small className={styles.note}> {username}</small>}
    </span>
  )
}

function Deeds({ member, myName, mayChange, onRemove, onReset, onErase }: MemberDeeds & { member: Member }) {
  const isMe = member.username === myName
  const words = { displayName: member.display_name }
  return (
    <span className={styles.rowDeeds}>
      {(mayChange || isMe) && (
        <Button
          size="small"
          variant="quiet"
          aria-label={isMe ? t.leaveProject : t.removePerson(words)}
          onPress={() => onRemove(member)}
        >
          {isMe ? t.leave : t.remove}
        </Button>
      )}
      {mayChange && !isMe && (
        <Menu
          label={t.accountOf(words)}
          trigger={
            <TriggerButton size="small" variant="quiet" aria-label={t.accountOf(words)}>
              {t.account}
            </TriggerButton>
          }
          entries={[
            { id: 'reset', label: t.makeResetLink, detail: t.makeResetLinkDetail, onAction: () => onReset(member) },
            { id: 'erase', label: t.eraseAccount, detail: t.eraseAccountDetail, onAction: () => onErase(member) },
          ]}
        />
      )}
    </span>
  )
}

/** How many tasks they submitted, of how many they may; leads to all that is known of their work. */
function Tasks({ slug, work: { user, hits }, limit }: { slug: string; work: AnnotatorRow; limit: number | null }) {
  const words = limit ? t.tasksOfLimit({ done: formatCount(hits), n: limit }) : t.tasksDone({ n: hits })
  return (
    <span className={styles.tasks}>
      <Link
        to="/projects/$slug/quality/annotators/$annotatorId"
        params={{ slug, annotatorId: String(user.id) }}
        aria-label={`${words}, ${user.display_name || user.username}`}
      >
        {limit ? t.doneOfLimit({ done: formatCount(hits), limit: formatCount(limit) }) : formatCount(hits)}
      </Link>
      {limit && <ProgressBar label={words} value={Math.min(hits, limit)} max={limit} isThin />}
    </span>
  )
}

function Agreement({ share }: { share: number }) {
  const said = formatShare(share)
  return (
    <span className={styles.tasks}>
      {said}
      <ProgressBar label={t.agreementColumn} value={share} max={1} isThin />
    </span>
  )
}

const roles: readonly Role[] = ['curator', 'head_annotator', 'annotator']

function RoleMenu({ slug, member }: { slug: string; member: Member }) {
  const { mutate, isPending } = useChangeRole(slug)
  const give = (role: Role) =>
    mutate(
      { memberId: member.id, role },
      {
        onSuccess: () => showToast(t.roleGiven({ name: member.display_name, role: inSentence(roleNames[role]) })),
        onError: (error) => showToast(asApiError(error).message, 'bad'),
      },
    )
  const entries = roles.map((role) => ({
    id: role,
    label: roleNames[role],
    detail: roleDuties[role],
    isDisabled: role === member.role,
    onAction: () => give(role),
  }))
  return (
    <Menu
      label={t.roleOf({ displayName: member.display_name })}
      trigger={
        <TriggerButton
          size="small"
          icon="chevronDown"
          isPending={isPending}
          aria-label={t.changeRoleOf({ role: roleNames[member.role], displayName: member.display_name })}
        >
          {roleNames[member.role]}
        </TriggerButton>
      }
      entries={entries}
    />
  )
}

interface RemoveDialogProps {
  project: Project
  member: Member
  isMe: boolean
  onClose: () => void
  onLeft: () => void
}

function RemoveDialog({ project, member, isMe, onClose, onLeft }: RemoveDialogProps) {
  const { mutate, isPending, error } = useRemoveMember(project.slug)
  return (
    <ConfirmDialog
      title={isMe ? t.leaveQuestion({ name: project.name }) : t.removeQuestion({ displayName: member.display_name })}
      verb={isMe ? t.leaveProject : t.removeThem}
      isOpen
      isPending={isPending}
      error={error}
      onConfirm={() => mutate(member.id, { onSuccess: isMe ? onLeft : onClose })}
      onClose={onClose}
    >
      {isMe ? t.leaveConsequence : t.removeConsequence}
    </ConfirmDialog>
  )
}

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Menu } from '@/components/ui/menu'
import { MoreButton } from '@/components/ui/more-button'
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
import { inSentence } from '@/lib/language/language'
import { Sentence } from '@/lib/language/sentence'
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
  const work = useAnnotators(project.slug).data
  if (isPending) return <Skeleton label={t.theMembers} />
  if (error) return <ErrorState error={error} title={t.membersNotListed} onRetry={() => void refetch()} />
  const members = data.pages.flatMap((page) => page.results)
  return (
    <>
      <ul className={styles.entries} aria-label={t.members}>
        {members.map((member) => (
          <MemberLine
            key={member.id}
            slug={project.slug}
            member={member}
            work={work?.find(({ user }) => user.username === member.username)}
            isMe={member.username === me?.username}
            mayChange={project.role === 'curator'}
            onRemove={() => setLeaving(member)}
            onReset={() => setResetting(member)}
            onErase={() => setErasing(member)}
          />
        ))}
      </ul>
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

interface MemberLineProps {
  slug: string
  member: Member
  /** What they did here; nothing while it is not known, and of those who did not begin. */
  work: AnnotatorRow | undefined
  isMe: boolean
  mayChange: boolean
  onRemove: () => void
  onReset: () => void
  onErase: () => void
}

function MemberLine({ slug, member, work, isMe, mayChange, onRemove, onReset, onErase }: MemberLineProps) {
  return (
    <li className={styles.entry}>
      <div>
        <p className={styles.entryName}>
          {member.display_name}
          {isMe && t.youMark}
        </p>
        <p className={styles.note}>
          <Joined member={member} />
        </p>
        {work && <Work slug={slug} work={work} />}
      </div>
      <div className={styles.deeds}>
        {mayChange ? (
          <RoleMenu slug={slug} member={member} />
        ) : (
          <span className={styles.note}>{roleNames[member.role]}</span>
        )}
        {(mayChange || isMe) && (
          <Button
            size="small"
            variant="quiet"
            aria-label={isMe ? t.leaveProject : t.removePerson({ displayName: member.display_name })}
            onPress={onRemove}
          >
            {isMe ? t.leave : t.remove}
          </Button>
        )}
        {mayChange && !isMe && (
          <Menu
            label={t.accountOf({ displayName: member.display_name })}
            trigger={
              <TriggerButton
                size="small"
                variant="quiet"
                aria-label={t.accountOf({ displayName: member.display_name })}
              >
                {t.account}
              </TriggerButton>
            }
            entries={[
              { id: 'reset', label: t.makeResetLink, detail: t.makeResetLinkDetail, onAction: onReset },
              { id: 'erase', label: t.eraseAccount, detail: t.eraseAccountDetail, onAction: onErase },
            ]}
          />
        )}
      </div>
    </li>
  )
}

/** How much they did, and when they last did something; leads to all that is known of their work. */
function Work({ slug, work: { user, hits, last_active_at: at } }: { slug: string; work: AnnotatorRow }) {
  return (
    <p className={styles.note}>
      <Link
        to="/projects/$slug/quality/annotators/$annotatorId"
        params={{ slug, annotatorId: String(user.id) }}
        aria-label={`${t.tasksDone({ n: hits })}, ${user.display_name || user.username}`}
      >
        {t.tasksDone({ n: hits })}
      </Link>
      {at && ', '}
      {at && <Sentence of={t.lastActive} parts={{ when: <RelativeTime at={at} /> }} />}
    </p>
  )
}

function Joined({ member: { username, display_name, joined_at } }: { member: Member }) {
  const when = <RelativeTime at={joined_at} />
  if (username === display_name) return <Sentence of={t.joined} parts={{ when }} />
  return <Sentence of={t.userJoined} parts={{ username, when }} />
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
          variant="quiet"
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

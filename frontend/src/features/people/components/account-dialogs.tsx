import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/text-field'
import { showToast } from '@/components/ui/toast-store'
import type { Member } from '@/lib/api/served'
import { t } from '@/messages/people'
import { useEraseMember } from '../api/erase-account'
import { useMakeResetLink } from '../api/make-reset-link'
import styles from './settings.module.css'

interface Props {
  slug: string
  member: Member
  onClose: () => void
}

/** Makes a link with which a member chooses a new password, and shows it this once. */
export function ResetLinkDialog({ slug, member, onClose }: Props) {
  const { mutate, isPending, error, data } = useMakeResetLink(slug)
  if (data)
    return (
      <Dialog title={t.resetLinkReady} isOpen onClose={onClose}>
        <p>{t.sendResetLink({ displayName: member.display_name })}</p>
        <p className={styles.secret}>
          <code className={styles.code}>{data.url}</code>
          <CopyButton text={data.url} what={t.theLink} label={t.copyLink} variant="primary" />
        </p>
        <Button onPress={onClose}>{t.done}</Button>
      </Dialog>
    )
  return (
    <ConfirmDialog
      title={t.resetLinkQuestion({ displayName: member.display_name })}
      verb={t.makeLink}
      isOpen
      isPending={isPending}
      error={error}
      onConfirm={() => mutate(member.id)}
      onClose={onClose}
    >
      {t.resetLinkConsequence}
    </ConfirmDialog>
  )
}

/** Erases the account of a member after its user name was typed. */
export function EraseMemberDialog({ slug, member, onClose }: Props) {
  const [typed, setTyped] = useState('')
  const { mutate, isPending, error } = useEraseMember(slug)
  const erase = () =>
    mutate(
      { memberId: member.id, username: typed },
      {
        onSuccess: ({ pseudonym }) => {
          showToast(t.accountErased({ pseudonym }))
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title={t.eraseQuestion({ displayName: member.display_name })}
      verb={t.eraseForGood}
      isOpen
      isPending={isPending}
      isDisabled={typed !== member.username}
      error={error}
      onConfirm={erase}
      onClose={onClose}
    >
      <div className={styles.dialog}>
        <p>{t.eraseMemberConsequence}</p>
        <TextField label={t.typeUserName({ username: member.username })} value={typed} onChange={setTyped} />
      </div>
    </ConfirmDialog>
  )
}

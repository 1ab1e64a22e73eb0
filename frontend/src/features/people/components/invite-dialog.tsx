import { type SyntheticEvent, useState } from 'react'
import { Form } from 'react-aria-components'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog } from '@/components/ui/dialog'
import { Notice } from '@/components/ui/notice'
import { NumberField } from '@/components/ui/number-field'
import { Select } from '@/components/ui/select'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import type { Role } from '@/lib/api/contract'
import type { NewInvitation } from '@/lib/api/served'
import { inSentence } from '@/lib/language/language'
import { roleDuties, roleNames } from '@/lib/project/roles'
import { t } from '@/messages/people'
import { useCreateInvitation } from '../api/create-invitation'
import styles from './settings.module.css'

const roles: readonly Role[] = ['annotator', 'head_annotator', 'curator']
const choices = roles.map((role) => ({ value: role, label: roleNames[role], detail: roleDuties[role] }))
const usualDays = 14

/** Makes a link for one person and shows it this once. */
export function InviteDialog({ slug, onClose }: { slug: string; onClose: () => void }) {
  const [role, setRole] = useState<Role>('annotator')
  const [note, setNote] = useState('')
  const [days, setDays] = useState(usualDays)
  const { mutate, isPending, error, data } = useCreateInvitation(slug)
  const make = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate({ role, note, expires_in_days: days })
  }
  return (
    <Dialog title={data ? t.invitationReady : t.inviteSomebody} isOpen onClose={onClose}>
      {data ? (
        <ReadyLink invitation={data} onDone={onClose} />
      ) : (
        <Form className={styles.form} onSubmit={make}>
          {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
          <Select label={t.role} choices={choices} value={role} onChange={setRole} hint={roleDuties[role]} />
          <TextField label={t.note} hint={t.noteHint} maxLength={120} value={note} onChange={setNote} />
          <NumberField
            label={t.daysOpen}
            minValue={1}
            maxValue={365}
            value={days}
            onChange={(value) => setDays(Number.isNaN(value) ? usualDays : value)}
          />
          <Button type="submit" variant="primary" icon="link" isPending={isPending}>
            {t.makeLink}
          </Button>
        </Form>
      )}
    </Dialog>
  )
}

function ReadyLink({ invitation, onDone }: { invitation: NewInvitation; onDone: () => void }) {
  return (
    <>
      <p>{t.sendLink({ role: inSentence(roleNames[invitation.role]) })}</p>
      <p className={styles.secret}>
        <code className={styles.code}>{invitation.url}</code>
        <CopyButton text={invitation.url} what={t.theLink} label={t.copyLink} variant="primary" />
      </p>
      <Button onPress={onDone}>{t.done}</Button>
    </>
  )
}

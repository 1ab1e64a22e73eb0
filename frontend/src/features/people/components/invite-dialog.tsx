import { type SyntheticEvent, useState } from 'react'
import { Form } from 'react-aria-components'
import { asCsv, save } from '@/components/chart/chart-files'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog } from '@/components/ui/dialog'
import { Notice } from '@/components/ui/notice'
import { NumberField } from '@/components/ui/number-field'
import { Select } from '@/components/ui/select'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import type { Project, Role } from '@/lib/api/contract'
import type { NewInvitation } from '@/lib/api/served'
import { inSentence } from '@/lib/language/language'
import { roleDuties, roleNames } from '@/lib/project/roles'
import { t } from '@/messages/people'
import { useCreateInvitations } from '../api/create-invitations'
import styles from './settings.module.css'

const roles: readonly Role[] = ['annotator', 'head_annotator', 'curator']
const choices = roles.map((role) => ({ value: role, label: roleNames[role], detail: roleDuties[role] }))
const usualDays = 14
const mostLinks = 100

/** Makes links, each for one person, and shows them this once. */
export function InviteDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const [role, setRole] = useState<Role>('annotator')
  const [note, setNote] = useState('')
  const [days, setDays] = useState(usualDays)
  const [n, setN] = useState(1)
  const { mutate, isPending, error, data } = useCreateInvitations(project.slug)
  const make = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate({ role, note, expires_in_days: days, n })
  }
  return (
    <Dialog title={data ? t.invitationsReady({ n: data.length }) : t.inviteSomebody} isOpen onClose={onClose}>
      {data ? (
        <ReadyLinks project={project} role={role} days={days} invitations={data} onDone={onClose} />
      ) : (
        <Form className={styles.form} onSubmit={make}>
          {error && <Notice tone="bad">{asApiError(error).message}</Notice>}
          <Select label={t.role} choices={choices} value={role} onChange={setRole} hint={roleDuties[role]} />
          <NumberField
            label={t.howManyLinks}
            hint={t.howManyLinksHint}
            minValue={1}
            maxValue={mostLinks}
            value={n}
            onChange={(value) => setN(Number.isNaN(value) ? 1 : value)}
          />
          <TextField label={t.note} hint={t.noteHint} maxLength={116} value={note} onChange={setNote} />
          <NumberField
            label={t.daysOpen}
            minValue={1}
            maxValue={365}
            value={days}
            onChange={(value) => setDays(Number.isNaN(value) ? usualDays : value)}
          />
          <Button type="submit" variant="primary" icon="link" isPending={isPending}>
            {t.makeLinks({ n })}
          </Button>
        </Form>
      )}
    </Dialog>
  )
}

interface ReadyLinksProps {
  project: Project
  role: Role
  days: number
  invitations: readonly NewInvitation[]
  onDone: () => void
}

function ReadyLinks({ project, role, days, invitations, onDone }: ReadyLinksProps) {
  const words = { role: inSentence(roleNames[role]) }
  const messageOf = ({ url }: NewInvitation) => t.invitationMessage({ name: project.name, ...words, days, url })
  const [only] = invitations
  if (only && invitations.length === 1) {
    return (
      <>
        <p>{t.sendLink(words)}</p>
        <p className={styles.secret}>
          <code className={styles.code}>{only.url}</code>
          <CopyButton text={only.url} what={t.theLink} label={t.copyLink} variant="primary" />
          <CopyButton text={messageOf(only)} what={t.theMessage} label={t.copyMessage} />
        </p>
        <Button onPress={onDone}>{t.done}</Button>
      </>
    )
  }
  return (
    <>
      <p>{t.sendLinks(words)}</p>
      <ol className={styles.links} aria-label={t.theLinks}>
        {invitations.map((invitation) => (
          <li key={invitation.id}>
            {invitation.note && <span>{invitation.note}</span>}
            <code className={styles.code}>{invitation.url}</code>
            <CopyButton text={messageOf(invitation)} what={t.theMessage} label={t.copyMessage} />
          </li>
        ))}
      </ol>
      <div className={styles.deeds}>
        <CopyButton
          text={invitations.map(({ url }) => url).join('\n')}
          what={t.theLinks}
          label={t.copyLinks}
          variant="primary"
        />
        <Button size="small" icon="download" onPress={() => saveLinks(invitations, project.slug)}>
          {t.linksAsCsv}
        </Button>
        <Button size="small" onPress={onDone}>
          {t.done}
        </Button>
      </div>
    </>
  )
}

function saveLinks(invitations: readonly NewInvitation[], slug: string): void {
  const columns = [
    { title: t.note, value: ({ note }: NewInvitation) => note },
    { title: t.linkColumn, value: ({ url }: NewInvitation) => url },
  ]
  save(asCsv({ columns, rows: invitations }), 'text/csv;charset=utf-8', `${slug}-invitations.csv`)
}

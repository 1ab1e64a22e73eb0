import { type SyntheticEvent, useState } from 'react'
import { Form } from 'react-aria-components'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { TextField } from '@/components/ui/text-field'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import type { Me } from '@/lib/api/contract'
import { t } from '@/messages/people'
import { useUpdateProfile } from '../api/update-profile'
import styles from './settings.module.css'

export function ProfileForm({ me }: { me: Me }) {
  const [displayName, setDisplayName] = useState(me.display_name)
  const [email, setEmail] = useState(me.email)
  const { mutate, isPending, error } = useUpdateProfile()
  const fields = error ? asApiError(error).fieldErrors() : {}
  const isChanged = displayName !== me.display_name || email !== me.email
  const save = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate({ display_name: displayName, email }, { onSuccess: () => showToast(t.profileSaved) })
  }
  return (
    <Form className={styles.form} onSubmit={save}>
      {error && Object.keys(fields).length === 0 && <Notice tone="bad">{asApiError(error).message}</Notice>}
      <TextField
        label={t.displayName}
        autoComplete="name"
        maxLength={80}
        value={displayName}
        onChange={setDisplayName}
        error={fields.display_name}
      />
      <TextField
        label={t.email}
        type="email"
        autoComplete="email"
        value={email}
        onChange={setEmail}
        error={fields.email}
      />
      <Button type="submit" isPending={isPending} isDisabled={!isChanged}>
        {t.save}
      </Button>
    </Form>
  )
}

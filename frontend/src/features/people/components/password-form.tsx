import { type SyntheticEvent, useState } from 'react'
import { Form } from 'react-aria-components'
import { Button } from '@/components/ui/button'
import { CheckField } from '@/components/ui/check-field'
import { Notice } from '@/components/ui/notice'
import { TextField } from '@/components/ui/text-field'
import { showToast } from '@/components/ui/toast-store'
import { asApiError } from '@/lib/api/api-error'
import { t } from '@/messages/people'
import { useChangePassword } from '../api/change-password'
import styles from './settings.module.css'

export function PasswordForm() {
  const [current, setCurrent] = useState('')
  const [wanted, setWanted] = useState('')
  const [revokes, setRevokes] = useState(true)
  const { mutate, isPending, error } = useChangePassword()
  const fields = error ? asApiError(error).fieldErrors() : {}
  const forget = () => {
    setCurrent('')
    setWanted('')
    showToast(t.passwordChanged)
  }
  const change = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate({ current, new: wanted, revoke_tokens: revokes }, { onSuccess: forget })
  }
  return (
    <Form className={styles.form} onSubmit={change}>
      {error && Object.keys(fields).length === 0 && <Notice tone="bad">{asApiError(error).message}</Notice>}
      <TextField
        label={t.currentPassword}
        type="password"
        autoComplete="current-password"
        value={current}
        onChange={setCurrent}
        error={fields.current}
      />
      <TextField
        label={t.newPassword}
        type="password"
        autoComplete="new-password"
        value={wanted}
        onChange={setWanted}
        error={fields.new}
      />
      <CheckField label={t.revokeAllTokens} hint={t.revokeAllTokensHint} isSelected={revokes} onChange={setRevokes} />
      <Button type="submit" isPending={isPending} isDisabled={!current || !wanted}>
        {t.changePassword}
      </Button>
    </Form>
  )
}

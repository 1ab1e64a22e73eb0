import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import { useSession } from '@/lib/session/get-session'
import { usePageTitle } from '@/lib/use-page-title'
import { t } from '@/messages/people'
import { type ResetLink, useResetDoor, useResetPassword } from '../api/reset-password'
import { Door } from './door'
import styles from './door.module.css'

/** Where a link for a new password leads. */
export function NewPasswordPage({ link }: { link: ResetLink }) {
  usePageTitle(t.newPassword)
  // Asking who is here also sets the CSRF cookie that the form needs.
  const isReady = useSession().isSuccess
  const { data: door, error, refetch } = useResetDoor(link, isReady)
  if (error) return <Closed error={error} onRetry={() => void refetch()} />
  if (!door) return <Skeleton label={t.theLink} rows={2} />
  return <PasswordDoor link={link} username={door.username} />
}

function Closed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isPassing = asApiError(error).isPassing
  return (
    <main className={styles.page}>
      <div className={styles.closed}>
        <ErrorState error={error} title={t.linkClosed} isPage {...(isPassing && { onRetry })} />
        {!isPassing && <LinkButton to="/forgot-password">{t.askForLink}</LinkButton>}
      </div>
    </main>
  )
}

function PasswordDoor({ link, username }: { link: ResetLink; username: string }) {
  const [password, setPassword] = useState('')
  const { mutate, isPending, isSuccess, error } = useResetPassword()
  const fields = error ? asApiError(error).fieldErrors() : {}
  if (isSuccess)
    return (
      <main className={styles.page}>
        <div>
          <h1 className={styles.title}>{t.passwordSet}</h1>
          <p className={styles.lead}>{t.passwordSetNote}</p>
          <LinkButton to="/sign-in">{t.signIn}</LinkButton>
        </div>
      </main>
    )
  return (
    <Door
      tab={t.newPassword}
      title={t.newPassword}
      lead={t.newPasswordLead({ username })}
      error={error && !fields.password ? error : null}
      onSubmit={() => mutate({ ...link, password })}
    >
      <input type="hidden" name="username" autoComplete="username" value={username} readOnly />
      <TextField
        label={t.newPassword}
        type="password"
        autoComplete="new-password"
        isRequired
        autoFocus
        hint={t.passwordHint}
        value={password}
        onChange={setPassword}
        error={fields.password}
      />
      <Button type="submit" variant="primary" size="large" isPending={isPending}>
        {t.setPassword}
      </Button>
    </Door>
  )
}

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Skeleton } from '@/components/ui/skeleton'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import { useSession } from '@/lib/session/get-session'
import { usePageTitle } from '@/lib/use-page-title'
import { t } from '@/messages/people'
import { useMailResetLink } from '../api/reset-password'
import { Door, DoorNote } from './door'
import styles from './door.module.css'

/** Asks for a link by email, or says who can make one where the site sends no emails. */
export function ForgotPasswordPage() {
  usePageTitle(t.forgotPassword)
  const session = useSession().data
  const [email, setEmail] = useState('')
  const { mutate, isPending, isSuccess, error } = useMailResetLink()
  const fields = error ? asApiError(error).fieldErrors() : {}
  if (!session) return <Skeleton label={t.forgotPassword} rows={2} />
  if (!session.mails_passwords || isSuccess)
    return (
      <main className={styles.page}>
        <div className={styles.form}>
          <header>
            <img src="/assets/mark.svg" alt="" width={40} height={40} />
            <h1 className={styles.title}>{isSuccess ? t.lookIntoMail : t.forgotPassword}</h1>
            <p className={styles.lead}>{isSuccess ? t.mailSent : t.askCuratorForLink}</p>
          </header>
          <LinkButton to="/sign-in" variant="primary" size="large">
            {t.backToSignIn}
          </LinkButton>
        </div>
      </main>
    )
  return (
    <Door
      tab={t.forgotPassword}
      title={t.forgotPassword}
      lead={t.forgotLead}
      error={error && !fields.email ? error : null}
      onSubmit={() => mutate(email)}
    >
      <TextField
        label={t.email}
        type="email"
        autoComplete="email"
        isRequired
        autoFocus
        value={email}
        onChange={setEmail}
        error={fields.email}
      />
      <Button type="submit" variant="primary" size="large" isPending={isPending}>
        {t.sendMeLink}
      </Button>
      <BackToSignIn />
    </Door>
  )
}

function BackToSignIn() {
  return (
    <DoorNote>
      <Link to="/sign-in">{t.backToSignIn}</Link>
    </DoorNote>
  )
}

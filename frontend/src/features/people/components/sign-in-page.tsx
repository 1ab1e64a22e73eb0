import { type SyntheticEvent, useState } from 'react'
import { Form } from 'react-aria-components'
import { Button } from '@/components/ui/button'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import { useSession } from '@/lib/session/get-session'
import { usePageTitle } from '@/lib/use-page-title'
import { useSignIn } from '../api/sign-in'
import styles from './sign-in-page.module.css'

export function SignInPage({ onSignedIn }: { onSignedIn: () => void }) {
  usePageTitle('Sign in')
  // Asking who is here also sets the CSRF cookie that the form needs.
  useSession()
  const { mutate, isPending, error } = useSignIn()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate({ username, password }, { onSuccess: onSignedIn })
  }
  return (
    <main className={styles.page}>
      <Form className={styles.form} onSubmit={submit}>
        <header>
          <img src="/assets/mark.svg" alt="" width={40} height={40} />
          <h1 className={styles.title}>Connote</h1>
          <p className={styles.lead}>One picture, many meanings. People decide which captions belong.</p>
        </header>
        {error && (
          <p className={styles.error} role="alert">
            {asApiError(error).message}
          </p>
        )}
        <TextField
          label="User name"
          name="username"
          autoComplete="username"
          isRequired
          value={username}
          onChange={setUsername}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          isRequired
          value={password}
          onChange={setPassword}
        />
        <Button type="submit" variant="primary" size="large" isPending={isPending}>
          Sign in
        </Button>
        <p className={styles.note}>No account yet? The curator of your project can send you an invitation link.</p>
      </Form>
    </main>
  )
}

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { TextField } from '@/components/ui/text-field'
import { useSession } from '@/lib/session/get-session'
import { useSignIn } from '../api/sign-in'
import { Door, DoorNote } from './door'

export function SignInPage({ onSignedIn }: { onSignedIn: () => void }) {
  // Asking who is here also sets the CSRF cookie that the form needs.
  const isSignUpOpen = useSession().data?.sign_up_open ?? false
  const { mutate, isPending, error } = useSignIn()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const submit = () => mutate({ username, password }, { onSuccess: onSignedIn })
  return (
    <Door
      tab="Sign in"
      title="Connote"
      lead="One picture, many meanings. People decide which captions belong."
      error={error}
      onSubmit={submit}
    >
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
      <DoorNote>
        No account yet?{' '}
        {isSignUpOpen ? (
          <Link to="/sign-up">Create one.</Link>
        ) : (
          'The curator of your project can send you an invitation link.'
        )}
      </DoorNote>
    </Door>
  )
}

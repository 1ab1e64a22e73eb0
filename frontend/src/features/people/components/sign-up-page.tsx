import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import { useSession } from '@/lib/session/get-session'
import { type NewAccount, useSignUp } from '../api/sign-up'
import { Door, DoorNote } from './door'

const nothing: NewAccount = { username: '', email: '', password: '' }

export function SignUpPage({ onSignedIn }: { onSignedIn: () => void }) {
  useSession()
  const { mutate, isPending, error } = useSignUp()
  const [account, setAccount] = useState(nothing)
  const said = error ? asApiError(error).fieldErrors() : {}
  const field = (name: keyof NewAccount) => ({
    name,
    isRequired: name !== 'email',
    value: account[name],
    error: said[name],
    onChange: (value: string) => setAccount((before) => ({ ...before, [name]: value })),
  })
  return (
    <Door
      tab="Create an account"
      title="Create an account"
      lead="You can judge captions as soon as a curator adds you to a project."
      error={error}
      onSubmit={() => mutate(account, { onSuccess: onSignedIn })}
    >
      <TextField label="User name" autoComplete="username" {...field('username')} />
      <TextField label="Email, if you like" type="email" autoComplete="email" {...field('email')} />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        hint="A sentence only you would say is easier to keep than a riddle."
        {...field('password')}
      />
      <Button type="submit" variant="primary" size="large" isPending={isPending}>
        Create the account
      </Button>
      <DoorNote>
        Already have one? <Link to="/sign-in">Sign in.</Link>
      </DoorNote>
    </Door>
  )
}

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import { Sentence } from '@/lib/language/sentence'
import { useSession } from '@/lib/session/get-session'
import { t } from '@/messages/people'
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
      tab={t.createAccount}
      title={t.createAccount}
      lead={t.createAccountLead}
      error={error}
      onSubmit={() => mutate(account, { onSuccess: onSignedIn })}
    >
      <TextField label={t.userName} autoComplete="username" {...field('username')} />
      <TextField label={t.emailIfYouLike} type="email" autoComplete="email" {...field('email')} />
      <TextField
        label={t.password}
        type="password"
        autoComplete="new-password"
        hint={t.passwordHint}
        {...field('password')}
      />
      <Button type="submit" variant="primary" size="large" isPending={isPending}>
        {t.createTheAccount}
      </Button>
      <DoorNote>
        <Sentence of={t.alreadyHaveOne} parts={{ link: <Link to="/sign-in">{t.signInNow}</Link> }} />
      </DoorNote>
    </Door>
  )
}

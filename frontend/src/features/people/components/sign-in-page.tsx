import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { TextField } from '@/components/ui/text-field'
import { Sentence } from '@/lib/language/sentence'
import { useSession } from '@/lib/session/get-session'
import { t } from '@/messages/people'
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
    <Door tab={t.signIn} title="Connote" lead={t.motto} error={error} onSubmit={submit}>
      <TextField
        label={t.userName}
        name="username"
        autoComplete="username"
        isRequired
        value={username}
        onChange={setUsername}
      />
      <TextField
        label={t.password}
        name="password"
        type="password"
        autoComplete="current-password"
        isRequired
        value={password}
        onChange={setPassword}
      />
      <Button type="submit" variant="primary" size="large" isPending={isPending}>
        {t.signIn}
      </Button>
      <DoorNote>
        <Sentence
          of={t.noAccountYet}
          parts={{ way: isSignUpOpen ? <Link to="/sign-up">{t.createOne}</Link> : t.askForInvitation }}
        />
      </DoorNote>
    </Door>
  )
}

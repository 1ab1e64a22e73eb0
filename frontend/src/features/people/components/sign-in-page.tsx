import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Sentence } from '@/lib/language/sentence'
import { useSession } from '@/lib/session/get-session'
import { t } from '@/messages/people'
import { type Credentials, useSignIn } from '../api/sign-in'
import { Door, DoorNote } from './door'
import { SignInFields } from './sign-in-fields'

export function SignInPage({ onSignedIn }: { onSignedIn: () => void }) {
  // Asking who is here also sets the CSRF cookie that the form needs.
  const isSignUpOpen = useSession().data?.sign_up_open ?? false
  const { mutate, isPending, error } = useSignIn()
  const [credentials, setCredentials] = useState<Credentials>({ username: '', password: '' })
  const submit = () => mutate(credentials, { onSuccess: onSignedIn })
  return (
    <Door tab={t.signIn} title="Connote" lead={t.motto} error={error} onSubmit={submit}>
      <SignInFields value={credentials} onChange={setCredentials} />
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

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Sentence } from '@/lib/language/sentence'
import { useSession } from '@/lib/session/get-session'
import { t } from '@/messages/people'
import { type Credentials, useSignIn, useSignInToDemo } from '../api/sign-in'
import { DemoAccounts } from './demo-accounts'
import { Door, DoorNote } from './door'
import { SignInFields } from './sign-in-fields'

export function SignInPage({ onSignedIn }: { onSignedIn: () => void }) {
  // Asking who is here also sets the CSRF cookie that the form needs.
  const session = useSession().data
  const isSignUpOpen = session?.sign_up_open ?? false
  const demoRoles = session?.demo_roles ?? []
  const demo = useSignInToDemo()
  const { mutate, isPending, error } = useSignIn()
  const [credentials, setCredentials] = useState<Credentials>({ username: '', password: '' })
  const submit = () => mutate(credentials, { onSuccess: onSignedIn })
  return (
    <Door tab={t.signIn} title="Connote" lead={t.motto} error={error ?? demo.error} onSubmit={submit}>
      {demoRoles.length > 0 && (
        <DemoAccounts
          roles={demoRoles}
          opening={demo.isPending ? demo.variables : undefined}
          onChoose={(role) => demo.mutate(role, { onSuccess: onSignedIn })}
        />
      )}
      <SignInFields value={credentials} onChange={setCredentials} />
      <Button type="submit" variant={demoRoles.length > 0 ? 'secondary' : 'primary'} size="large" isPending={isPending}>
        {t.signIn}
      </Button>
      <DoorNote>
        <Link to="/forgot-password">{t.forgotPassword}</Link>
      </DoorNote>
      <DoorNote>
        <Sentence
          of={t.noAccountYet}
          parts={{ way: isSignUpOpen ? <Link to="/sign-up">{t.createOne}</Link> : t.askForInvitation }}
        />
      </DoorNote>
    </Door>
  )
}

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { TextField } from '@/components/ui/text-field'
import { asApiError } from '@/lib/api/api-error'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/people'
import { useAcceptInvitation } from '../api/accept-invitation'
import { Door, DoorNote } from './door'
import { Expiry, type JoinProps, welcome } from './invitation-words'

const nobody = { username: '', email: '', password: '' }

/** For somebody new: an account and the membership come together, or neither does. */
export function JoinAsNew({ token, door, onJoined }: JoinProps) {
  const [account, setAccount] = useState(nobody)
  const { mutate, isPending, error } = useAcceptInvitation(token)
  const said = error ? asApiError(error).fieldErrors() : {}
  const field = (name: keyof typeof nobody) => ({
    name,
    isRequired: name !== 'email',
    value: account[name],
    error: said[name],
    onChange: (value: string) => setAccount((before) => ({ ...before, [name]: value })),
  })
  return (
    <Door
      tab={door.project_name}
      title={door.project_name}
      lead={welcome(door)}
      error={error}
      onSubmit={() => mutate(account, { onSuccess: ({ project_slug }) => onJoined(project_slug) })}
    >
      <TextField label={t.userName} autoComplete="username" autoFocus {...field('username')} />
      <TextField label={t.emailIfYouLike} type="email" autoComplete="email" {...field('email')} />
      <TextField label={t.password} type="password" autoComplete="new-password" {...field('password')} />
      <Button type="submit" variant="primary" size="large" isPending={isPending}>
        {t.makeAccountAndJoin}
      </Button>
      <DoorNote>
        <Expiry door={door} /> <Sentence of={t.haveAccount} parts={{ link: <SignInFirst token={token} /> }} />
      </DoorNote>
    </Door>
  )
}

function SignInFirst({ token }: { token: string }) {
  return (
    <Link to="/sign-in" search={{ next: `/invitations/${token}` }}>
      {t.signInFirst}
    </Link>
  )
}

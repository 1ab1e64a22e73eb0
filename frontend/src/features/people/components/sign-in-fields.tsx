import type { Dispatch, SetStateAction } from 'react'
import { TextField } from '@/components/ui/text-field'
import { t } from '@/messages/people'
import type { Credentials } from '../api/sign-in'

export interface SignInFieldsProps {
  value: Credentials
  /** Whether the name is known already: then the password is what is typed first. */
  isKnown?: boolean
  /** Takes a change rather than a value: a password manager fills both fields before either is drawn. */
  onChange: Dispatch<SetStateAction<Credentials>>
}

/** Who one is; the names of the fields and their autocomplete are what password managers look for. */
export function SignInFields({ value: { username, password }, isKnown = false, onChange }: SignInFieldsProps) {
  return (
    <>
      <TextField
        label={t.userName}
        name="username"
        autoComplete="username"
        isRequired
        value={username}
        onChange={(typed) => onChange((before) => ({ ...before, username: typed }))}
      />
      <TextField
        label={t.password}
        name="password"
        type="password"
        autoComplete="current-password"
        isRequired
        autoFocus={isKnown}
        value={password}
        onChange={(typed) => onChange((before) => ({ ...before, password: typed }))}
      />
    </>
  )
}

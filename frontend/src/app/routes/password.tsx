import { useState } from 'react'
import { readResetLink } from '@/features/people/api/reset-password'
import { ForgotPasswordPage } from '@/features/people/components/forgot-password-page'
import { NewPasswordPage } from '@/features/people/components/new-password-page'

/** The link is read once and taken out of the address, so that the history of the browser does not keep it. */
export function NewPasswordRoute() {
  const [link] = useState(() => {
    const found = readResetLink(window.location.hash)
    window.history.replaceState(window.history.state, '', window.location.pathname)
    return found
  })
  return <NewPasswordPage link={link} />
}

export function ForgotPasswordRoute() {
  return <ForgotPasswordPage />
}

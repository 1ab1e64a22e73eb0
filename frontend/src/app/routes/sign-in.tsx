import { useNavigate, useSearch } from '@tanstack/react-router'
import { SignInPage } from '@/features/people/components/sign-in-page'
import { safeNext } from '@/lib/session/safe-next'

export function SignInRoute() {
  const { next } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  return <SignInPage onSignedIn={() => void navigate({ to: safeNext(next), replace: true })} />
}

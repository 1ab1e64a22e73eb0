import { useNavigate, useSearch } from '@tanstack/react-router'
import { SignInPage } from '@/features/people/components/sign-in-page'
import { landingPage } from '@/lib/project/landing-page'
import { safeNext } from '@/lib/session/safe-next'

export function SignInRoute() {
  const { next } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const goOn = async () => {
    const asked = safeNext(next)
    // The list tells what is wrong where the projects cannot be read.
    const to = asked === '/' ? await landingPage().catch(() => '/') : asked
    await navigate({ to, replace: true })
  }
  return <SignInPage onSignedIn={() => void goOn()} />
}

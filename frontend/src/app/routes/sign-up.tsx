import { useNavigate } from '@tanstack/react-router'
import { SignUpPage } from '@/features/people/components/sign-up-page'

export function SignUpRoute() {
  const navigate = useNavigate()
  return <SignUpPage onSignedIn={() => void navigate({ to: '/', replace: true })} />
}

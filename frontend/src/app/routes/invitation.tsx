import { useNavigate, useParams } from '@tanstack/react-router'
import { InvitationPage } from '@/features/people/components/invitation-page'

export function InvitationRoute() {
  const { token } = useParams({ from: '/invitations/$token' })
  const navigate = useNavigate()
  return (
    <InvitationPage token={token} onJoined={(slug) => void navigate({ to: '/projects/$slug', params: { slug } })} />
  )
}

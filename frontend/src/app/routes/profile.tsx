import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ProfilePage } from '@/features/people/components/profile-page'
import { useMe } from '@/lib/session/get-session'
import { clearShelves } from '@/lib/store/shelf'
import { pagesOfActions } from '../every-action'

export function ProfileRoute() {
  const me = useMe()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const leave = async () => {
    await clearShelves()
    queryClient.clear()
    await navigate({ to: '/sign-in' })
  }
  return me && <ProfilePage key={me.id} me={me} pages={pagesOfActions} onErased={() => void leave()} />
}

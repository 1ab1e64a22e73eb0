import { ProfilePage } from '@/features/people/components/profile-page'
import { useMe } from '@/lib/session/get-session'
import { pagesOfActions } from '../every-action'

export function ProfileRoute() {
  const me = useMe()
  return me && <ProfilePage key={me.id} me={me} pages={pagesOfActions} />
}

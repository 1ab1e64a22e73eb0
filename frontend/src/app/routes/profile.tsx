import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ProfilePage, profileTabs } from '@/features/people/components/profile-page'
import { useMe } from '@/lib/session/get-session'
import { clearShelves } from '@/lib/store/shelf'
import { pagesOfActions } from '../every-action'

/** `?tab=keys` opens a tab, so that it can be sent as a link. */
export function ProfileRoute() {
  const me = useMe()
  const search: Record<string, unknown> = useSearch({ from: '/signed-in/profile' })
  const tab = profileTabs.find((each) => each === search.tab) ?? 'tokens'
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const leave = async () => {
    await clearShelves()
    queryClient.clear()
    await navigate({ to: '/sign-in' })
  }
  return (
    me && (
      <ProfilePage
        key={me.id}
        me={me}
        pages={pagesOfActions}
        tab={tab}
        onTab={(next) => void navigate({ to: '/profile', search: { tab: next }, replace: true })}
        onErased={() => void leave()}
      />
    )
  )
}

import { annotateActions } from '@/features/annotate/actions'
import { ProfilePage } from '@/features/people/components/profile-page'
import { useMe } from '@/lib/session/get-session'
import { shellActions } from '../shell/shell-actions'

// What is alive on the annotate page: its own verbs and those of every page.
const actions = [...annotateActions, ...shellActions]

export function ProfileRoute() {
  const me = useMe()
  return me && <ProfilePage key={me.id} me={me} actions={actions} />
}

import { RelativeTime } from '@/components/ui/relative-time'
import type { InvitationDoor } from '@/lib/api/served'
import { roleDuties, roleNames } from '@/lib/project/roles'

export interface JoinProps {
  token: string
  door: InvitationDoor
  onJoined: (slug: string) => void
}

export const welcome = ({ role }: InvitationDoor): string =>
  `You are invited as ${roleNames[role].toLowerCase()}. ${roleDuties[role]}`

export function Expiry({ door }: { door: InvitationDoor }) {
  return (
    <>
      The link works once and expires <RelativeTime at={door.expires_at} />.
    </>
  )
}

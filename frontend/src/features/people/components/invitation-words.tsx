import { RelativeTime } from '@/components/ui/relative-time'
import type { InvitationDoor } from '@/lib/api/served'
import { roleNames } from '@/lib/project/roles'

export interface JoinProps {
  token: string
  door: InvitationDoor
  onJoined: (slug: string) => void
}

const prospects: Record<InvitationDoor['role'], string> = {
  curator: 'You will run the walk, change the project and invite people.',
  head_annotator: 'You will judge captions, and see every caption with its votes.',
  annotator: 'You will judge captions of photographs.',
}

export const welcome = ({ role }: InvitationDoor): string =>
  `You are invited as ${roleNames[role].toLowerCase()}. ${prospects[role]}`

export function Expiry({ door }: { door: InvitationDoor }) {
  return (
    <>
      The link works once and expires <RelativeTime at={door.expires_at} />.
    </>
  )
}

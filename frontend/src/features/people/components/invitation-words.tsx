import { RelativeTime } from '@/components/ui/relative-time'
import type { InvitationDoor } from '@/lib/api/served'
import { inSentence } from '@/lib/language/language'
import { Sentence } from '@/lib/language/sentence'
import { roleNames } from '@/lib/project/roles'
import { t } from '@/messages/people'

export interface JoinProps {
  token: string
  door: InvitationDoor
  onJoined: (slug: string) => void
}

const prospects: Record<InvitationDoor['role'], string> = {
  curator: t.curatorProspect,
  head_annotator: t.headProspect,
  annotator: t.annotatorProspect,
}

export const welcome = ({ role }: InvitationDoor): string =>
  t.invitedAs({ role: inSentence(roleNames[role]), prospect: prospects[role] })

export function Expiry({ door }: { door: InvitationDoor }) {
  return <Sentence of={t.linkOnce} parts={{ when: <RelativeTime at={door.expires_at} /> }} />
}

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { SettingsSection } from '@/components/ui/settings-section'
import type { Project } from '@/lib/api/contract'
import { InvitationList } from './invitation-list'
import { InviteDialog } from './invite-dialog'
import { MemberList } from './member-list'

/** Who belongs to the project, and the links that let more people in. */
export function PeoplePage({ project, onLeft }: { project: Project; onLeft: () => void }) {
  const [isInviting, setInviting] = useState(false)
  const mayInvite = project.role === 'curator'
  const invite = (
    <Button variant="primary" icon="plus" onPress={() => setInviting(true)}>
      Invite somebody
    </Button>
  )
  return (
    <Page>
      <PageHeader title="People" actions={mayInvite && invite} />
      <SettingsSection title="Members" note="What each person judged stays when they leave.">
        <MemberList project={project} onLeft={onLeft} />
      </SettingsSection>
      {mayInvite && (
        <SettingsSection title="Invitations" note="A link lets one person in, once. Send it to them yourself.">
          <InvitationList slug={project.slug} />
        </SettingsSection>
      )}
      {isInviting && <InviteDialog slug={project.slug} onClose={() => setInviting(false)} />}
    </Page>
  )
}

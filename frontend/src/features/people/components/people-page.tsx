import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Page, PageHeader } from '@/components/ui/page-header'
import { SettingsSection } from '@/components/ui/settings-section'
import type { Project } from '@/lib/api/contract'
import { t } from '@/messages/people'
import { BatchList } from './batch-list'
import { InvitationList } from './invitation-list'
import { InviteDialog } from './invite-dialog'
import { MemberList } from './member-list'

/** Who belongs to the project, and the links that let more people in. */
export function PeoplePage({ project, onLeft }: { project: Project; onLeft: () => void }) {
  const [isInviting, setInviting] = useState(false)
  const mayInvite = project.role === 'curator'
  const invite = (
    <Button variant="primary" icon="plus" onPress={() => setInviting(true)}>
      {t.inviteSomebody}
    </Button>
  )
  return (
    <Page>
      <PageHeader title={t.people} lead={mayInvite ? undefined : t.askCurator} actions={mayInvite && invite} />
      <SettingsSection title={t.members} note={t.judgmentsStay} isWide>
        <MemberList project={project} onLeft={onLeft} />
      </SettingsSection>
      {mayInvite && (
        <SettingsSection title={t.invitations} note={t.linkLetsIn} isWide>
          <Invitations slug={project.slug} />
        </SettingsSection>
      )}
      {isInviting && <InviteDialog project={project} onClose={() => setInviting(false)} />}
    </Page>
  )
}

function Invitations({ slug }: { slug: string }) {
  const { batch: asked }: Record<string, unknown> = useSearch({ strict: false })
  const batch = Number.isSafeInteger(Number(asked)) && Number(asked) > 0 ? Number(asked) : undefined
  return (
    <>
      <BatchList slug={slug} shown={batch} />
      <InvitationList slug={slug} batch={batch} />
    </>
  )
}

import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LabelLooksContext, labelLooksOf } from '@/components/ui/label-looks'
import { LinkButton } from '@/components/ui/link-button'
import { Page } from '@/components/ui/page-header'
import { EmptyState } from '@/components/ui/states'
import type { Project, Role } from '@/lib/api/contract'
import { useProject } from '@/lib/project/get-project'
import { t } from '@/messages/shell'

export interface WithProjectProps {
  roles: readonly Role[]
  children: (project: Project) => ReactNode
}

/** Draws a page of the project in the address, for the roles that have business there. */
export function WithProject({ roles, children }: WithProjectProps) {
  const { slug } = useParams({ strict: false })
  const project = useProject(slug).data
  if (!project) return null
  if (!roles.includes(project.role)) return <NotYours project={project} />
  return <LabelLooksContext value={labelLooksOf(project.direction)}>{children(project)}</LabelLooksContext>
}

function NotYours({ project: { slug, role } }: { project: Project }) {
  return (
    <Page>
      <EmptyState
        isPage
        title={t.notYourRoleTitle}
        icon="person"
        action={
          <LinkButton
            to={role === 'annotator' ? '/projects/$slug/annotate' : '/projects/$slug/review'}
            params={{ slug }}
            variant="primary"
          >
            {role === 'annotator' ? t.judgeCaptions : t.openReview}
          </LinkButton>
        }
      >
        {t.notYourRole}
      </EmptyState>
    </Page>
  )
}

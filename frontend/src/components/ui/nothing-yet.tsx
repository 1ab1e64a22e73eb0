import type { Project } from '@/lib/api/contract'
import { t } from '@/messages/common'
import type { IconName } from './icon'
import { LinkButton } from './link-button'
import { EmptyState } from './states'

export interface NothingYetProps {
  project: Project
  title: string
  icon: IconName
  /** What the way to the walk is called. */
  action?: string
  /** What will be here, and the stage that makes it. */
  forCurators: string
  /** The same for who cannot start a stage. */
  forOthers: string
}

/** What a stage of the walk will make and has not yet: curators are shown the way there. */
export function NothingYet({ project, title, icon, action = t.goToWalk, forCurators, forOthers }: NothingYetProps) {
  const isCurator = project.role === 'curator'
  return (
    <EmptyState
      title={title}
      icon={icon}
      action={
        isCurator && (
          <LinkButton to="/projects/$slug/walk" params={{ slug: project.slug }} variant="primary">
            {action}
          </LinkButton>
        )
      }
    >
      {isCurator ? forCurators : forOthers}
    </EmptyState>
  )
}

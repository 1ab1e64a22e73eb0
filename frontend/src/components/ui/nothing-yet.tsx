import type { Project } from '@/lib/api/contract'
import { t } from '@/messages/common'
import type { IconName } from './icon'
import { LinkButton } from './link-button'
import { EmptyState } from './states'

interface Common {
  project: Project
  title: string
  icon: IconName
  /** What the way to the walk is called. */
  action?: string
}

/** What will be here, and the stage that makes it; in other words for members who cannot start a stage. */
export type NothingYetProps = Common & ({ forAll: string } | { forCurators: string; forOthers: string })

/** What a stage of the walk will make and has not yet: curators are shown the way there. */
export function NothingYet({ project, title, icon, action = t.goToWalk, ...words }: NothingYetProps) {
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
      {'forAll' in words ? words.forAll : isCurator ? words.forCurators : words.forOthers}
    </EmptyState>
  )
}

import { useParams } from '@tanstack/react-router'
import { useActions } from '@/lib/actions/action-context'
import { useIsWide } from '@/lib/layout/use-is-wide'
import { useProject } from '@/lib/project/get-project'
import { BottomBar } from './bottom-bar'
import { GroupNav } from './group-nav'
import { Rail } from './rail'
import { railActions } from './rail-actions'
import { TopBar } from './top-bar'
import { useRail } from './use-rail'

/** The way to every page: a sidebar, only its signs where there is little room, on a phone a bar at each end. */
export function Navigation() {
  const { slug } = useParams({ strict: false })
  const project = useProject(slug).data
  const isDesk = useIsWide('52rem')
  const hasRoom = useIsWide('70rem')
  const rail = useRail()
  useActions(railActions, { 'rail.toggle': { when: () => hasRoom, perform: rail.toggle } })
  if (isDesk) {
    const isSmall = rail.isSmall || !hasRoom
    return (
      <>
        <Rail project={project} isSmall={isSmall} mayToggle={hasRoom} unfolded={rail.unfolded} onFold={rail.fold} />
        {project && isSmall && <GroupNav project={project} />}
      </>
    )
  }
  return (
    <>
      <TopBar hasPages={false} />
      {project && <GroupNav project={project} />}
      {project && <BottomBar project={project} />}
    </>
  )
}

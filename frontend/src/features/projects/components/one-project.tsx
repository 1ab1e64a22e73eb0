import type { Project } from '@/lib/api/contract'
import { OwnHome } from './own-home'
import { TeamHome } from './team-home'

/** Under the only project of a person: waiting work, the last days, and pictures. */
export function OneProject({ project }: { project: Project }) {
  return project.role === 'annotator' ? <OwnHome project={project} /> : <TeamHome project={project} />
}

import type { Project } from '@/lib/api/contract'
import type { WorkLeft } from '@/lib/project/work-left'
import { t } from '@/messages/projects'

interface NextPage {
  to:
    | '/projects/$slug/annotate'
    | '/projects/$slug/past-work'
    | '/projects/$slug/review'
    | '/projects/$slug/walk'
    | '/projects/$slug/overview'
    | '/projects/$slug/releases'
  words: string
}

/** Whether an annotator did all that they can get at the moment. */
export const isAllDone = ({ done, total }: WorkLeft): boolean => total > 0 && done >= total

export const pastWork: NextPage = { to: '/projects/$slug/past-work', words: t.seePastWork }

/** Where the person's own work in a project goes on. */
export function nextOf({ role, counts }: Pick<Project, 'role' | 'counts'>): NextPage {
  const { images, hits, slots_open: open, releases } = counts
  if (role === 'annotator') {
    const hasWork = open > 0 || hits === 0
    return hasWork ? { to: '/projects/$slug/annotate', words: t.annotate } : pastWork
  }
  if (role === 'head_annotator') return { to: '/projects/$slug/review', words: t.reviewAnswers }
  if (images === 0) return { to: '/projects/$slug/walk', words: t.importImages }
  if (hits === 0) return { to: '/projects/$slug/walk', words: t.makeTasks }
  if (open > 0) return { to: '/projects/$slug/overview', words: t.seeProgress }
  return releases > 0
    ? { to: '/projects/$slug/releases', words: t.seeReleases }
    : { to: '/projects/$slug/walk', words: t.goOn }
}

import type { Role } from '@/lib/api/contract'

/** The pages of a project, in the order of the top bar, and who has business there. */
export interface ProjectPage {
  to: '/projects/$slug/annotate'
  label: string
  roles: readonly Role[]
}

const everyone: readonly Role[] = ['curator', 'head_annotator', 'annotator']

export const projectPages: readonly ProjectPage[] = [
  { to: '/projects/$slug/annotate', label: 'Annotate', roles: everyone },
]

export const pagesFor = (role: Role): readonly ProjectPage[] => projectPages.filter((page) => page.roles.includes(role))

/** Where a project opens: the desk of the person's role. */
export function homePageOf(role: Role): ProjectPage['to'] {
  return pagesFor(role)[0]?.to ?? '/projects/$slug/annotate'
}

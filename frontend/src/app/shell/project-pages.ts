import type { Project, Role } from '@/lib/api/contract'
import { t } from '@/messages/shell'

/** The pages of a project, in the order of the sidebar, and who has business there. */
export interface ProjectPage {
  to:
    | '/projects/$slug/overview'
    | '/projects/$slug/walk'
    | '/projects/$slug/images'
    | '/projects/$slug/cleaning'
    | '/projects/$slug/explore'
    | '/projects/$slug/polysemy'
    | '/projects/$slug/map'
    | '/projects/$slug/corpora'
    | '/projects/$slug/leakage'
    | '/projects/$slug/difficulty'
    | '/projects/$slug/models'
    | '/projects/$slug/surveys'
    | '/projects/$slug/annotate'
    | '/projects/$slug/past-work'
    | '/projects/$slug/inbox'
    | '/projects/$slug/review'
    | '/projects/$slug/feedback'
    | '/projects/$slug/quality'
    | '/projects/$slug/selection'
    | '/projects/$slug/diversity'
    | '/projects/$slug/releases'
    | '/projects/$slug/benchmarks'
    | '/projects/$slug/people'
    | '/projects/$slug/history'
    | '/projects/$slug/exports'
    | '/projects/$slug/webhooks'
    | '/projects/$slug/settings'
  label: string
  roles: readonly Role[]
  group: PageGroup
  /** Set where a project that compares images with queries has nothing to show. */
  isOfCaptions?: true
}

export type PageGroup = 'overview' | 'data' | 'judging' | 'release' | 'settings'

/** A link of the navigation: one page, or the pages of a group. */
export interface NavEntry {
  id: PageGroup | ProjectPage['to']
  label: string
  pages: readonly [ProjectPage, ...ProjectPage[]]
}

const groupLabels: Record<PageGroup, string> = {
  overview: t.overview,
  data: t.data,
  judging: t.judging,
  release: t.release,
  settings: t.settings,
}

export const curators: readonly Role[] = ['curator']
export const reviewers: readonly Role[] = ['curator', 'head_annotator']
export const annotators: readonly Role[] = ['annotator']
export const everyone: readonly Role[] = ['curator', 'head_annotator', 'annotator']

/** The first page of a group is where its own link leads. */
export const projectPages: readonly ProjectPage[] = [
  { to: '/projects/$slug/overview', label: t.overview, roles: reviewers, group: 'overview' },
  { to: '/projects/$slug/walk', label: t.walk, roles: reviewers, group: 'overview' },
  { to: '/projects/$slug/images', label: t.gallery, roles: reviewers, group: 'data' },
  { to: '/projects/$slug/cleaning', label: t.cleaning, roles: reviewers, isOfCaptions: true, group: 'data' },
  { to: '/projects/$slug/corpora', label: t.corpora, roles: reviewers, isOfCaptions: true, group: 'data' },
  { to: '/projects/$slug/leakage', label: t.leakage, roles: reviewers, isOfCaptions: true, group: 'data' },
  { to: '/projects/$slug/explore', label: t.explore, roles: reviewers, isOfCaptions: true, group: 'data' },
  { to: '/projects/$slug/map', label: t.map, roles: reviewers, isOfCaptions: true, group: 'data' },
  { to: '/projects/$slug/polysemy', label: t.polysemy, roles: reviewers, isOfCaptions: true, group: 'data' },
  { to: '/projects/$slug/review', label: t.review, roles: reviewers, group: 'judging' },
  { to: '/projects/$slug/quality', label: t.quality, roles: reviewers, group: 'judging' },
  { to: '/projects/$slug/feedback', label: t.feedback, roles: reviewers, group: 'judging' },
  { to: '/projects/$slug/people', label: t.people, roles: reviewers, group: 'judging' },
  { to: '/projects/$slug/annotate', label: t.annotate, roles: everyone, group: 'judging' },
  { to: '/projects/$slug/past-work', label: t.pastWork, roles: annotators, group: 'judging' },
  { to: '/projects/$slug/inbox', label: t.inbox, roles: annotators, group: 'judging' },
  { to: '/projects/$slug/releases', label: t.releases, roles: everyone, isOfCaptions: true, group: 'release' },
  { to: '/projects/$slug/benchmarks', label: t.benchmarks, roles: reviewers, isOfCaptions: true, group: 'release' },
  { to: '/projects/$slug/selection', label: t.selection, roles: reviewers, isOfCaptions: true, group: 'release' },
  { to: '/projects/$slug/difficulty', label: t.difficulty, roles: reviewers, isOfCaptions: true, group: 'release' },
  { to: '/projects/$slug/models', label: t.models, roles: reviewers, isOfCaptions: true, group: 'release' },
  { to: '/projects/$slug/diversity', label: t.diversity, roles: reviewers, isOfCaptions: true, group: 'release' },
  { to: '/projects/$slug/surveys', label: t.surveys, roles: reviewers, isOfCaptions: true, group: 'release' },
  { to: '/projects/$slug/exports', label: t.exports, roles: reviewers, group: 'release' },
  { to: '/projects/$slug/settings', label: t.settings, roles: curators, group: 'settings' },
  { to: '/projects/$slug/history', label: t.history, roles: reviewers, group: 'settings' },
  { to: '/projects/$slug/webhooks', label: t.webhooks, roles: curators, group: 'settings' },
]

export const inboxPage = '/projects/$slug/inbox'
export const reviewPage = '/projects/$slug/review'
export const feedbackPage = '/projects/$slug/feedback'

type Seen = Pick<Project, 'role' | 'direction'>

export function pagesFor({ role, direction }: Seen): readonly ProjectPage[] {
  return projectPages.filter(
    (page) => page.roles.includes(role) && !(page.isOfCaptions && direction === 'images_of_query'),
  )
}

/** The links of the navigation: the groups, or for annotators, who have few pages, each page. */
export function navEntriesFor(project: Seen): readonly NavEntry[] {
  const entries = new Map<NavEntry['id'], [ProjectPage, ...ProjectPage[]]>()
  for (const page of pagesFor(project)) {
    const id = project.role === 'annotator' ? page.to : page.group
    const others = entries.get(id)
    if (others) others.push(page)
    else entries.set(id, [page])
  }
  return [...entries].map(([id, pages]) => ({
    id,
    label: pages.length > 1 ? groupLabels[pages[0].group] : pages[0].label,
    pages,
  }))
}

export const isOpen = (page: ProjectPage, slug: string, pathname: string) =>
  `${pathname}/`.startsWith(`${page.to.replace('$slug', slug)}/`)

export const isWithin = ({ pages }: NavEntry, slug: string, pathname: string) =>
  pages.some((page) => isOpen(page, slug, pathname))

/** Where a project opens: head annotators review; for the others, the first of their pages. */
export function homePageOf(project: Seen): ProjectPage['to'] {
  if (project.role === 'head_annotator') return reviewPage
  return pagesFor(project)[0]?.to ?? '/projects/$slug/annotate'
}

import type { Project, Role } from '@/lib/api/contract'
import { t } from '@/messages/shell'

/** The pages of a project, in the order of the top bar, and who has business there. */
export interface ProjectPage {
  to:
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
    | '/projects/$slug/people'
    | '/projects/$slug/history'
    | '/projects/$slug/exports'
    | '/projects/$slug/webhooks'
    | '/projects/$slug/settings'
  label: string
  roles: readonly Role[]
  /** Set where a project that compares images with queries has nothing to show. */
  isOfCaptions?: true
  /** The pages of a group have one link in the top bar and a row of links above each of them. */
  group?: PageGroup
}

export type PageGroup = 'data' | 'curation' | 'project'

/** A link in the top bar: one page, or the pages of a group. */
export interface NavEntry {
  label: string
  pages: readonly [ProjectPage, ...ProjectPage[]]
}

const groupLabels: Record<PageGroup, string> = { data: t.data, curation: t.curation, project: t.project }

export const curators: readonly Role[] = ['curator']
export const reviewers: readonly Role[] = ['curator', 'head_annotator']
export const annotators: readonly Role[] = ['annotator']
export const everyone: readonly Role[] = ['curator', 'head_annotator', 'annotator']

export const projectPages: readonly ProjectPage[] = [
  { to: '/projects/$slug/walk', label: t.walk, roles: reviewers },
  { to: '/projects/$slug/images', label: t.gallery, roles: reviewers, group: 'data' },
  { to: '/projects/$slug/explore', label: t.explore, roles: reviewers, isOfCaptions: true, group: 'data' },
  { to: '/projects/$slug/corpora', label: t.corpora, roles: reviewers, isOfCaptions: true, group: 'data' },
  { to: '/projects/$slug/leakage', label: t.leakage, roles: reviewers, isOfCaptions: true, group: 'data' },
  { to: '/projects/$slug/polysemy', label: t.polysemy, roles: reviewers, isOfCaptions: true, group: 'data' },
  { to: '/projects/$slug/cleaning', label: t.cleaning, roles: reviewers, isOfCaptions: true, group: 'data' },
  { to: '/projects/$slug/annotate', label: t.annotate, roles: everyone },
  { to: '/projects/$slug/past-work', label: t.pastWork, roles: annotators },
  { to: '/projects/$slug/inbox', label: t.inbox, roles: annotators },
  { to: '/projects/$slug/review', label: t.review, roles: reviewers },
  { to: '/projects/$slug/feedback', label: t.feedback, roles: reviewers },
  { to: '/projects/$slug/quality', label: t.quality, roles: reviewers },
  {
    to: '/projects/$slug/selection',
    label: t.selection,
    roles: reviewers,
    isOfCaptions: true,
    group: 'curation',
  },
  {
    to: '/projects/$slug/difficulty',
    label: t.difficulty,
    roles: reviewers,
    isOfCaptions: true,
    group: 'curation',
  },
  { to: '/projects/$slug/models', label: t.models, roles: reviewers, isOfCaptions: true, group: 'curation' },
  {
    to: '/projects/$slug/diversity',
    label: t.diversity,
    roles: reviewers,
    isOfCaptions: true,
    group: 'curation',
  },
  { to: '/projects/$slug/map', label: t.map, roles: reviewers, isOfCaptions: true, group: 'curation' },
  { to: '/projects/$slug/surveys', label: t.surveys, roles: reviewers, isOfCaptions: true, group: 'curation' },
  { to: '/projects/$slug/releases', label: t.releases, roles: everyone, isOfCaptions: true },
  { to: '/projects/$slug/people', label: t.people, roles: reviewers, group: 'project' },
  { to: '/projects/$slug/history', label: t.history, roles: reviewers, group: 'project' },
  { to: '/projects/$slug/exports', label: t.exports, roles: reviewers, group: 'project' },
  { to: '/projects/$slug/webhooks', label: t.webhooks, roles: curators, group: 'project' },
  { to: '/projects/$slug/settings', label: t.settings, roles: curators, group: 'project' },
]

export const inboxPage = '/projects/$slug/inbox'
export const reviewPage = '/projects/$slug/review'
export const feedbackPage = '/projects/$slug/feedback'

/** The daily work of head annotators: it comes before everything else there. */
const ofHeads: readonly string[] = [reviewPage, '/projects/$slug/quality', feedbackPage]

export function pagesFor({ role, direction }: Pick<Project, 'role' | 'direction'>): readonly ProjectPage[] {
  const pages = projectPages.filter(
    (page) => page.roles.includes(role) && !(page.isOfCaptions && direction === 'images_of_query'),
  )
  if (role !== 'head_annotator') return pages
  const place = ({ to }: ProjectPage) => (ofHeads.includes(to) ? ofHeads.indexOf(to) : ofHeads.length)
  return pages.toSorted((a, b) => place(a) - place(b))
}

/** The links of the top bar: a group stands where its first page would. */
export function navEntriesFor(project: Pick<Project, 'role' | 'direction'>): readonly NavEntry[] {
  const entries = new Map<string, [ProjectPage, ...ProjectPage[]]>()
  for (const page of pagesFor(project)) {
    const others = entries.get(page.group ?? page.to)
    if (others) others.push(page)
    else entries.set(page.group ?? page.to, [page])
  }
  return [...entries.values()].map((pages) => ({ label: labelOf(pages), pages }))
}

const labelOf = ([first, ...others]: NavEntry['pages']) =>
  first.group && others.length > 0 ? groupLabels[first.group] : first.label

export const isOpen = (page: ProjectPage, slug: string, pathname: string) =>
  pathname.startsWith(page.to.replace('$slug', slug))

/** Where a project opens: the desk of the person's role. */
export function homePageOf(project: Pick<Project, 'role' | 'direction'>): ProjectPage['to'] {
  return pagesFor(project)[0]?.to ?? '/projects/$slug/annotate'
}

import type { QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter, lazyRouteComponent, redirect, type RouterHistory } from '@tanstack/react-router'
import { atDesk } from '@/lib/language/catalogue'
import { projectQuery } from '@/lib/project/get-project'
import { curationRoutes } from './curation-routes'
import { projectRoute, signedInRoute } from './project-route'
import { rootRoute } from './root-route'
import { LoadingPage, RouteErrorPage } from './routes/fallbacks'
import { settingsRoutes } from './settings-routes'
import { visitorRoutes } from './visitor-routes'

/** The whole map of the site. Every page is loaded when it is first opened. */

// The page itself reads what stands behind the question mark, so that its code comes with it.
const asTyped = (search: Record<string, unknown>) => search

const projectsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./routes/projects'), 'ProjectsRoute'),
})

const profileRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/profile',
  validateSearch: asTyped,
  component: lazyRouteComponent(
    atDesk(() => import('./routes/profile')),
    'ProfileRoute',
  ),
})

const helpRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/help',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/help')),
    'HelpRoute',
  ),
})

const projectHomeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  beforeLoad: async ({ context, params }) => {
    const project = await context.queryClient.query({ ...projectQuery(params.slug), staleTime: 'static' })
    const { homePageOf } = await import('./shell/project-pages')
    throw redirect({ to: homePageOf(project), params })
  },
})

const annotateRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/annotate',
  component: lazyRouteComponent(() => import('./routes/annotate'), 'AnnotateRoute'),
})

const qualifyRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/qualify',
  component: lazyRouteComponent(() => import('./routes/qualify'), 'QualifyRoute'),
})

const pastWorkRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/past-work',
  validateSearch: asTyped,
  component: lazyRouteComponent(() => import('./routes/past-work'), 'PastWorkRoute'),
})

const pastHitRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/past-work/$assignmentId',
  validateSearch: (search: Record<string, unknown>): { at?: number } =>
    typeof search.at === 'number' ? { at: search.at } : {},
  component: lazyRouteComponent(() => import('./routes/past-work'), 'PastHitRoute'),
})

const inboxRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/inbox',
  validateSearch: asTyped,
  component: lazyRouteComponent(() => import('./routes/inbox'), 'InboxRoute'),
})

const overviewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/overview',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/overview')),
    'OverviewRoute',
  ),
})

const walkRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/walk',
  validateSearch: asTyped,
  component: lazyRouteComponent(
    atDesk(() => import('./routes/runs')),
    'WalkRoute',
  ),
})

const runRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/walk/runs/$runId',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/runs')),
    'RunRoute',
  ),
})

const galleryRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/images',
  validateSearch: asTyped,
  component: lazyRouteComponent(
    atDesk(() => import('./routes/catalogue')),
    'GalleryRoute',
  ),
})

const imageRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/images/$imageId',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/catalogue')),
    'ImageRoute',
  ),
})

const polysemyRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/polysemy',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/polysemy')),
    'PolysemyRoute',
  ),
})

const exploreRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/explore',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/explore')),
    'ExploreRoute',
  ),
})

const mapRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/map',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/caption-map')),
    'MapRoute',
  ),
})

const poolRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/images/$imageId/captions',
  validateSearch: asTyped,
  component: lazyRouteComponent(
    atDesk(() => import('./routes/candidates')),
    'PoolRoute',
  ),
})

const funnelRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/cleaning',
  validateSearch: asTyped,
  component: lazyRouteComponent(
    atDesk(() => import('./routes/candidates')),
    'FunnelRoute',
  ),
})

const corporaRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/corpora',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/corpora')),
    'CorporaRoute',
  ),
})

const leakageRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/leakage',
  validateSearch: asTyped,
  component: lazyRouteComponent(
    atDesk(() => import('./routes/leakage')),
    'LeakageRoute',
  ),
})

const difficultyRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/difficulty',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/difficulty')),
    'DifficultyRoute',
  ),
})

const reviewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/review',
  validateSearch: asTyped,
  component: lazyRouteComponent(
    atDesk(() => import('./routes/review')),
    'ReviewRoute',
  ),
})

const qualityRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/quality',
  validateSearch: asTyped,
  component: lazyRouteComponent(
    atDesk(() => import('./routes/quality')),
    'QualityRoute',
  ),
})

const pairRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/quality/pairs/$first/$second',
  validateSearch: asTyped,
  component: lazyRouteComponent(
    atDesk(() => import('./routes/quality')),
    'PairRoute',
  ),
})

const personRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/quality/annotators/$annotatorId',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/quality')),
    'PersonRoute',
  ),
})

const judgedRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/quality/annotators/$annotatorId/answers',
  validateSearch: asTyped,
  component: lazyRouteComponent(
    atDesk(() => import('./routes/judged')),
    'JudgedRoute',
  ),
})

const feedbackRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/feedback',
  validateSearch: asTyped,
  component: lazyRouteComponent(
    atDesk(() => import('./routes/head-feedback')),
    'FeedbackRoute',
  ),
})

const releasesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/releases',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/releases')),
    'ReleaseListRoute',
  ),
})

const releaseRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/releases/$releaseId',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/releases')),
    'ReleaseRoute',
  ),
})

const routeTree = rootRoute.addChildren([
  ...visitorRoutes,
  signedInRoute.addChildren([
    projectsRoute,
    profileRoute,
    helpRoute,
    projectRoute.addChildren([
      projectHomeRoute,
      overviewRoute,
      walkRoute,
      runRoute,
      galleryRoute,
      imageRoute,
      poolRoute,
      funnelRoute,
      exploreRoute,
      mapRoute,
      polysemyRoute,
      ...curationRoutes,
      corporaRoute,
      leakageRoute,
      difficultyRoute,
      annotateRoute,
      pastWorkRoute,
      pastHitRoute,
      inboxRoute,
      qualifyRoute,
      reviewRoute,
      qualityRoute,
      pairRoute,
      personRoute,
      judgedRoute,
      feedbackRoute,
      releasesRoute,
      releaseRoute,
      ...settingsRoutes,
    ]),
  ]),
])

export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingMs: 200,
    defaultPendingComponent: LoadingPage,
    defaultErrorComponent: RouteErrorPage,
    scrollRestoration: true,
    ...(history && { history }),
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}

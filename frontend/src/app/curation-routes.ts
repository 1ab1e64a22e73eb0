import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { atDesk } from '@/lib/language/catalogue'
import { projectRoute } from './project-route'

/** The pages that make a release of judged captions. */

const selectionRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/selection',
  validateSearch: (search: Record<string, unknown>) => search,
  component: lazyRouteComponent(
    atDesk(() => import('./routes/selection')),
    'SelectionRoute',
  ),
})

const modelsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/models',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/models')),
    'ModelsRoute',
  ),
})

const diversityRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/diversity',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/diversity')),
    'DiversityRoute',
  ),
})

const diversityReportRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/diversity/$runId',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/diversity')),
    'DiversityReportRoute',
  ),
})

// The page itself reads what stands behind the question mark.
const asTyped = (search: Record<string, unknown>) => search

const benchmarksRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/benchmarks',
  validateSearch: asTyped,
  component: lazyRouteComponent(
    atDesk(() => import('./routes/benchmarks')),
    'BenchmarksRoute',
  ),
})

const comparisonRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/benchmarks/compare',
  validateSearch: asTyped,
  component: lazyRouteComponent(
    atDesk(() => import('./routes/benchmarks')),
    'ComparisonRoute',
  ),
})

const evaluationRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/benchmarks/$evaluationId',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/benchmarks')),
    'EvaluationRoute',
  ),
})

const surveysRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/surveys',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/surveys')),
    'SurveysRoute',
  ),
})

const surveyRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/surveys/$surveyId',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/surveys')),
    'SurveyRoute',
  ),
})

export const curationRoutes = [
  selectionRoute,
  modelsRoute,
  benchmarksRoute,
  comparisonRoute,
  evaluationRoute,
  diversityRoute,
  diversityReportRoute,
  surveysRoute,
  surveyRoute,
] as const

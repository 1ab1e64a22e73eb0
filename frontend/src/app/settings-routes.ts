import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { atDesk } from '@/lib/language/catalogue'
import { projectRoute } from './project-route'

/** The people, the history, the exports and the settings of a project. */

const peopleRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/people',
  validateSearch: (search: Record<string, unknown>) => search,
  component: lazyRouteComponent(
    atDesk(() => import('./routes/people')),
    'PeopleRoute',
  ),
})

const historyRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/history',
  validateSearch: (search: Record<string, unknown>) => search,
  component: lazyRouteComponent(
    atDesk(() => import('./routes/history')),
    'HistoryRoute',
  ),
})

const exportsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/exports',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/exports')),
    'ExportsRoute',
  ),
})

const webhooksRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/webhooks',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/webhooks')),
    'WebhooksRoute',
  ),
})

const settingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/settings',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/project-settings')),
    'ProjectSettingsRoute',
  ),
})

export const settingsRoutes = [peopleRoute, historyRoute, exportsRoute, webhooksRoute, settingsRoute] as const

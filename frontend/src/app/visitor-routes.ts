import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { atDesk } from '@/lib/language/catalogue'
import { rootRoute } from './root-route'

/** The pages that need nobody signed in. */

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string } =>
    typeof search.next === 'string' ? { next: search.next } : {},
  component: lazyRouteComponent(() => import('./routes/sign-in'), 'SignInRoute'),
})

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('./routes/sign-up'), 'SignUpRoute'),
})

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitations/$token',
  component: lazyRouteComponent(() => import('./routes/invitation'), 'InvitationRoute'),
})

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./routes/password'), 'ForgotPasswordRoute'),
})

const newPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/new-password',
  component: lazyRouteComponent(() => import('./routes/password'), 'NewPasswordRoute'),
})

const surveyAnsweringRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/s/$token',
  component: lazyRouteComponent(() => import('./routes/survey'), 'SurveyRoute'),
})

const publicReleaseRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/r/$token',
  component: lazyRouteComponent(
    atDesk(() => import('./routes/public-release')),
    'PublicReleaseRoute',
  ),
})

export const visitorRoutes = [
  signInRoute,
  signUpRoute,
  invitationRoute,
  forgotPasswordRoute,
  newPasswordRoute,
  surveyAnsweringRoute,
  publicReleaseRoute,
] as const

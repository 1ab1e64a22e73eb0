import { createRoute, redirect } from '@tanstack/react-router'
import { projectQuery } from '@/lib/project/get-project'
import { sessionQuery } from '@/lib/session/get-session'
import { rootRoute } from './root-route'
import { AppShell } from './shell/app-shell'

/** Everything under it needs somebody signed in. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.query({ ...sessionQuery, staleTime: 'static' })
    if (!session.user) throw redirect({ to: '/sign-in', search: { next: location.href } })
  },
  component: AppShell,
})

export const projectRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects/$slug',
  loader: ({ context, params }) => context.queryClient.query({ ...projectQuery(params.slug), staleTime: 'static' }),
})

import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { Announcer } from '@/components/ui/announcer'
import { ActionProvider } from '@/lib/actions/action-provider'
import type { Me, Session } from '@/lib/api/contract'
import { createQueryClient } from '@/lib/api/query-client'
import { sessionQuery } from '@/lib/session/get-session'
import { bob } from './data'

/** Draws one page with everything the app puts round it; `me` is who is signed in. */
export function renderPage(page: ReactNode, me: Me | null = bob, more: Partial<Omit<Session, 'user'>> = {}) {
  const queryClient = createQueryClient()
  queryClient.setDefaultOptions({ queries: { retry: false, staleTime: 30_000 } })
  queryClient.setQueryData(sessionQuery.queryKey, {
    user: me,
    sign_up_open: false,
    demo_roles: [],
    mails_passwords: false,
    ...more,
  })
  const router = createRouter({
    routeTree: createRootRoute({ component: () => page }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  const view = render(
    <QueryClientProvider client={queryClient}>
      <ActionProvider>
        <RouterProvider router={router} />
        <Announcer />
      </ActionProvider>
    </QueryClientProvider>,
  )
  return { ...view, user: userEvent.setup(), queryClient, router }
}

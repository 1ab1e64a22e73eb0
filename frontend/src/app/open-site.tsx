import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { ActionProvider } from '@/lib/actions/action-provider'
import { createQueryClient } from '@/lib/api/query-client'
import { createAppRouter } from './router'

/** The whole site at this address, for a test. */
export function openSite(path: string) {
  const queryClient = createQueryClient()
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [path] }))
  render(
    <QueryClientProvider client={queryClient}>
      <ActionProvider>
        <RouterProvider router={router} />
      </ActionProvider>
    </QueryClientProvider>,
  )
  return { router, user: userEvent.setup() }
}

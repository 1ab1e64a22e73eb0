import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { ToastRegion } from '@/components/ui/toast-region'
import { ActionProvider } from '@/lib/actions/action-provider'
import { createQueryClient } from '@/lib/api/query-client'
import { createAppRouter } from './router'

export function App() {
  const [queryClient] = useState(createQueryClient)
  const [router] = useState(() => createAppRouter(queryClient))
  return (
    <QueryClientProvider client={queryClient}>
      <ActionProvider>
        <RouterProvider router={router} />
        <ToastRegion />
      </ActionProvider>
    </QueryClientProvider>
  )
}

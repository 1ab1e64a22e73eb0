import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { I18nProvider } from 'react-aria-components'
import { Announcer } from '@/components/ui/announcer'
import { ToastRegion } from '@/components/ui/toast-region'
import { ActionProvider } from '@/lib/actions/action-provider'
import { createQueryClient } from '@/lib/api/query-client'
import { locale } from '@/lib/language/language'
import { createAppRouter } from './router'

export function App() {
  const [queryClient] = useState(createQueryClient)
  const [router] = useState(() => createAppRouter(queryClient))
  return (
    <QueryClientProvider client={queryClient}>
      <I18nProvider locale={locale}>
        <ActionProvider>
          <RouterProvider router={router} />
          <ToastRegion />
          <Announcer />
        </ActionProvider>
      </I18nProvider>
    </QueryClientProvider>
  )
}

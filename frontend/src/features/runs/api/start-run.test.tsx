import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { createQueryClient } from '@/lib/api/query-client'
import { run } from '@/testing/catalogue-data'
import { server } from '@/testing/server'
import { useStartRun } from './start-run'

test('the walk and the corpora are read anew once a stage was started', async () => {
  server.use(http.post('*/api/v1/projects/:slug/runs', () => HttpResponse.json(run(), { status: 201 })))
  const client = createQueryClient()
  const keys = ['walk', 'corpora'].map((name) => ['project', 'harbour', name])
  for (const key of keys) client.setQueryData(key, [])
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(() => useStartRun('harbour'), { wrapper })
  await result.current.mutateAsync({ stage: 'embed_corpus', parameters: {}, seed: 0 })
  expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, true])
})

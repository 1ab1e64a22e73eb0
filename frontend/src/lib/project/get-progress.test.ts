import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { server } from '@/testing/server'
import { progressQuery, renewProgress } from './get-progress'

test('a first read that began before the submit does not hide what the submit added', async () => {
  let answerFirst = (): void => undefined
  const first = new Promise<void>((resolve) => {
    answerFirst = resolve
  })
  let reads = 0
  server.use(
    http.get('*/api/v1/projects/skies/progress', async () => {
      reads += 1
      if (reads > 1) return HttpResponse.json({ mine: { submitted_today: 4 } })
      await first
      return HttpResponse.json({ mine: { submitted_today: 3 } })
    }),
  )
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const stop = new QueryObserver(queryClient, progressQuery('skies')).subscribe(() => undefined)
  await vi.waitFor(() => expect(reads).toBe(1))
  const renewed = renewProgress(queryClient, 'skies')
  answerFirst()
  await renewed
  expect(queryClient.getQueryData(progressQuery('skies').queryKey)?.mine.submitted_today).toBe(4)
  stop()
  queryClient.clear()
})

import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error'

const maxRetries = 2

/** Refusals are final; only a passing failure is asked again. */
function shouldRetry(failures: number, error: Error): boolean {
  return failures < maxRetries && error instanceof ApiError && error.isPassing && !error.isOffline
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 30_000, retry: shouldRetry, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
}

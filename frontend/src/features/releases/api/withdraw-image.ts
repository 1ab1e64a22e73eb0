import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'
import { asApiError } from '@/lib/api/api-error'
import { api, unwrap } from '@/lib/api/client'
import type { Page } from '@/lib/api/contract'
import type { ReleaseEntry, Withdrawal } from '@/lib/api/served'
import { keyOf } from './source'

type Entries = InfiniteData<Page<ReleaseEntry>>

/** Withdraws an image of the project; the entry shows the reason at once, in all filters of the release. */
export function useWithdrawImage(slug: string, releaseId: string, digest: string) {
  const client = useQueryClient()
  const entriesKey = [...keyOf({ kind: 'member', id: releaseId }), 'entries']
  return useMutation({
    mutationFn: (reason: string) =>
      unwrap(
        api.POST('/api/v1/projects/{slug}/withdrawals', {
          params: { path: { slug } },
          body: { image: digest, reason },
        }),
      ),
    onSuccess: (made) => {
      client.setQueriesData<Entries>({ queryKey: entriesKey }, (data) => data && withWithdrawn(data, made))
      // Other releases of the project have the image too. They are read again when somebody opens them.
      void client.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] === 'release' && queryKey[2] === 'entries',
        refetchType: 'none',
      })
      void client.invalidateQueries({ queryKey: ['project', slug] })
    },
    onError: (error) => {
      // Another curator was first: read that reason.
      if (asApiError(error).code === 'already_withdrawn') void client.invalidateQueries({ queryKey: entriesKey })
    },
  })
}

function withWithdrawn(data: Entries, { digest, created_at, reason }: Withdrawal): Entries {
  const change = (entry: ReleaseEntry): ReleaseEntry =>
    entry.image.digest === digest
      ? { ...entry, image: { ...entry.image, thumbnail: null }, withdrawn: { created_at, reason } }
      : entry
  return { ...data, pages: data.pages.map((page) => ({ ...page, results: page.results.map(change) })) }
}

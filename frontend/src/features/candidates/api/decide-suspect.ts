import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Page } from '@/lib/api/contract'
import type { Suspect } from '@/lib/api/served'
import type { Verdict } from '../state/suspect-words'

export interface SuspectDecision {
  /** As it stands now. */
  suspect: Suspect
  decision: Verdict
}

const sendDecision = ({ suspect, decision }: SuspectDecision): Promise<Suspect> =>
  unwrap(
    api.POST('/api/v1/suspects/{suspect_id}/decisions', {
      params: { path: { suspect_id: suspect.id } },
      body: { decision },
    }),
  )

/** Puts the newest state of a suspect into every list that shows it, where it stands. */
function patchSuspect(queryClient: QueryClient, slug: string, suspect: Suspect): void {
  queryClient.setQueriesData<InfiniteData<Page<Suspect>>>({ queryKey: ['project', slug, 'suspects'] }, (data) => {
    const patch = (row: Suspect) => (row.id === suspect.id ? suspect : row)
    return data && { ...data, pages: data.pages.map((page) => ({ ...page, results: page.results.map(patch) })) }
  })
}

/** It looks decided at once, and as before where the server refuses; lists keep their rows, so that nothing jumps. */
export function useDecideSuspect(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: sendDecision,
    onMutate: ({ suspect, decision }) => patchSuspect(queryClient, slug, { ...suspect, decision, decided: null }),
    onError: (_, { suspect }) => patchSuspect(queryClient, slug, suspect),
    onSuccess: (suspect) => patchSuspect(queryClient, slug, suspect),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['project', slug, 'suspect-counts'] })
      void queryClient.invalidateQueries({ queryKey: ['project', slug, 'suspects'], refetchType: 'none' })
    },
  })
}

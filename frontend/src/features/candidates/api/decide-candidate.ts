import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Candidate } from '@/lib/api/served'
import { afterVerdict, patchLists, type Verdict } from '../state/optimistic'

export interface Decision {
  /** As it stands now. */
  candidate: Candidate
  verdict: Verdict
  reason: string
}

function sendDecision(slug: string, { candidate, verdict, reason }: Decision): Promise<Candidate> {
  const asked = { params: { path: { slug, candidate_id: candidate.id } }, body: { reason } }
  return unwrap(
    verdict === 'keep'
      ? api.POST('/api/v1/projects/{slug}/candidates/{candidate_id}/restore', asked)
      : api.POST('/api/v1/projects/{slug}/candidates/{candidate_id}/drop', asked),
  )
}

/** What is counted of a project's captions is read anew; lists stay as they are, so that nothing jumps. */
export function forgetCounts(queryClient: QueryClient, slug: string): void {
  for (const name of ['funnel', 'pool-summary', 'image-counts']) {
    void queryClient.invalidateQueries({ queryKey: ['project', slug, name] })
  }
  for (const name of ['pool', 'examples', 'image']) {
    void queryClient.invalidateQueries({ queryKey: ['project', slug, name], refetchType: 'none' })
  }
}

/** Keeps or drops a caption; it looks decided at once, and as before where the server refuses. */
export function useDecideCandidate(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (decision: Decision) => sendDecision(slug, decision),
    onMutate: (decision) => patchLists(queryClient, slug, afterVerdict(decision)),
    onError: (_, { candidate }) => patchLists(queryClient, slug, candidate),
    onSuccess: (candidate) => patchLists(queryClient, slug, candidate),
    onSettled: () => forgetCounts(queryClient, slug),
  })
}

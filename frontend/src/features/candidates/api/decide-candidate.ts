import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Candidate } from '@/lib/api/served'
import { t } from '@/messages/candidates'
import { answered, useDecided } from '../state/decided'
import { afterVerdict, type Verdict } from '../state/optimistic'

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

/**
 * What is counted of a project's captions is read anew. Lists on the screen stay as they are, so that nothing jumps;
 * those that are not are read anew when somebody comes back.
 */
export function forgetCounts(queryClient: QueryClient, slug: string): void {
  for (const name of ['funnel', 'pool-summary', 'image-counts']) {
    void queryClient.invalidateQueries({ queryKey: ['project', slug, name] })
  }
  for (const name of ['pool', t.examples, 'image']) {
    void queryClient.invalidateQueries({ queryKey: ['project', slug, name], refetchType: 'none' })
  }
  for (const name of ['pool', t.examples]) {
    queryClient.removeQueries({ queryKey: ['project', slug, name], type: 'inactive' })
  }
}

const keyOf = (slug: string) => ['project', slug, 'decide-candidate']

/** Keeps and drops captions; decisions go to the server one after another, as they were made. */
export function useDecideCandidate(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: keyOf(slug),
    scope: { id: keyOf(slug).join(' ') },
    gcTime: Infinity, // What was decided is laid over lists that were read before.
    mutationFn: async (decision: Decision) => answered(await sendDecision(slug, decision)),
    onSettled: () => forgetCounts(queryClient, slug),
  })
}

/** A caption of a page as it was decided since: it looks so at once, and as before where the server refuses. */
export const useDecidedCandidate = (slug: string) => useDecided(keyOf(slug), afterVerdict)

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Suspect } from '@/lib/api/served'
import { answered, useDecided } from '../state/decided'

export interface SuspectDecision {
  /** As it stands now. */
  suspect: Suspect
  decision: Suspect['decision']
}

const sendDecision = ({ suspect, decision }: SuspectDecision): Promise<Suspect> =>
  unwrap(
    api.POST('/api/v1/suspects/{suspect_id}/decisions', {
      params: { path: { suspect_id: suspect.id } },
      body: { decision },
    }),
  )

const keyOf = (slug: string) => ['project', slug, 'decide-suspect']

const expected = ({ suspect, decision }: SuspectDecision): Suspect => ({ ...suspect, decision, decided: null })

/**
 * Decisions go to the server one after another, as they were made. Lists on the screen keep their rows, so that nothing
 * jumps; those that are not are read anew when somebody comes back.
 */
export function useDecideSuspect(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: keyOf(slug),
    scope: { id: keyOf(slug).join(' ') },
    gcTime: Infinity, // What was decided is laid over lists that were read before.
    mutationFn: async (decision: SuspectDecision) => answered(await sendDecision(decision)),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['project', slug, 'suspect-counts'] })
      void queryClient.invalidateQueries({ queryKey: ['project', slug, 'suspects'], refetchType: 'none' })
      queryClient.removeQueries({ queryKey: ['project', slug, 'suspects'], type: 'inactive' })
    },
  })
}

/** A suspect of a page as it was decided since: it looks so at once, and as before where the server refuses. */
export const useDecidedSuspect = (slug: string) => useDecided(keyOf(slug), expected)

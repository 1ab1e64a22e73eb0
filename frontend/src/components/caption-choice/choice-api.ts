import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { CaptionChoice } from '@/lib/api/served'

export type ChoiceKind = 'pin' | 'ban'

const pathOf = (slug: string, candidate: number) => ({ path: { slug, candidate_id: candidate } })
const address = '/api/v1/projects/{slug}/captions/{candidate_id}/choice'

const historyQuery = (slug: string, candidate: number) =>
  queryOptions({
    queryKey: ['project', slug, 'caption-choices', candidate],
    queryFn: (): Promise<CaptionChoice[]> => unwrap(api.GET(address, { params: pathOf(slug, candidate) })),
  })

/** Every pin and ban of a caption, newest first. */
export function useChoiceHistory(slug: string, candidate: number) {
  return useQuery(historyQuery(slug, candidate))
}

/** Pins or bans a caption; without a kind it takes that back. The lists that show it are read again. */
export function useChooseCaption(slug: string, candidate: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (choice: { kind: ChoiceKind; reason: string } | null): Promise<void> => {
      const params = pathOf(slug, candidate)
      if (choice) await unwrap(api.PUT(address, { params, body: choice }))
      else await unwrap(api.DELETE(address, { params }))
    },
    onSettled: () =>
      Promise.all(
        ['image', 'selection', 'caption-choices'].map((key) =>
          queryClient.invalidateQueries({ queryKey: ['project', slug, key] }),
        ),
      ),
  })
}

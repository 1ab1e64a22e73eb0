import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query'

/** A change by the API: all queries under `key` are asked for again after it, also after a refusal. */
export function useChange<Wish, Answer>(key: QueryKey, change: (wish: Wish) => Promise<Answer>) {
  const queryClient = useQueryClient()
  return useMutation({ mutationFn: change, onSettled: () => queryClient.invalidateQueries({ queryKey: key }) })
}

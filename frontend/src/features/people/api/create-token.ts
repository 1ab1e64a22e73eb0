import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { tokensQuery } from './get-tokens'

export interface TokenWish {
  name: string
  expires_in_days: number | null
  is_read_only: boolean
  is_for_releases: boolean
  /** The slug of the only project that the token opens; null: all. */
  project: string | null
}

const createToken = (body: TokenWish) => unwrap(api.POST('/api/v1/me/tokens', { body }))

/** The answer alone carries the secret, so nothing keeps it once the page is left. */
export function useCreateToken() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: createToken,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey }),
    gcTime: 0,
  })
}

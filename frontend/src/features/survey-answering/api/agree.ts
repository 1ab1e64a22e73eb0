import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '@/lib/api/client'
import { newKey } from '@/lib/store/new-key'
import { doorQuery } from './get-door'

const agree = (token: string, startKey: string) =>
  unwrap(api.POST('/api/v1/s/{token}/agree', { params: { path: { token } }, body: { start_key: startKey } }))

/** Agrees to take part. Sent twice, it makes one participant. */
export function useAgree(token: string) {
  const queryClient = useQueryClient()
  const [startKey] = useState(newKey)
  return useMutation({
    mutationFn: () => agree(token, startKey),
    onSuccess: (door) => queryClient.setQueryData(doorQuery(token).queryKey, door),
  })
}

import { useMutation } from '@tanstack/react-query'
import { api } from '@/lib/api/client'
import type { SkipIn } from '@/lib/api/contract'

export async function skipAssignment({ id, skip }: { id: string; skip: SkipIn }): Promise<void> {
  await api.POST('/api/v1/assignments/{assignment_id}/skip', {
    params: { path: { assignment_id: id } },
    body: skip,
  })
}

export function useSkipAssignment() {
  return useMutation({ mutationFn: skipAssignment })
}

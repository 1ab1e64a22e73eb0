import { useMutation } from '@tanstack/react-query'
import { api } from '@/lib/api/client'

export async function returnAssignment(id: string): Promise<void> {
  await api.POST('/api/v1/assignments/{id}/return', { params: { path: { id } } })
}

export function useReturnAssignment() {
  return useMutation({ mutationFn: returnAssignment })
}

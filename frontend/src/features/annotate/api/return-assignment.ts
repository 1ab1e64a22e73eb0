import { useMutation } from '@tanstack/react-query'
import { api } from '@/lib/api/client'

export async function returnAssignment(id: string): Promise<void> {
  await api.POST('/api/v1/assignments/{assignment_id}/return', { params: { path: { assignment_id: id } } })
}

export function useReturnAssignment() {
  return useMutation({ mutationFn: returnAssignment })
}

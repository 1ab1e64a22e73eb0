import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

const putInForce = (sampleId: number) =>
  unwrap(api.POST('/api/v1/samples/{sample_id}/put-in-force', { params: { path: { sample_id: sampleId } } }))

const lift = (sampleId: number) =>
  unwrap(api.POST('/api/v1/samples/{sample_id}/lift', { params: { path: { sample_id: sampleId } } }))

/** Puts a sample in force, or lifts the one that is. */
export function useForceSample(slug: string, sampleId: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (isWanted: boolean) => (isWanted ? putInForce(sampleId) : lift(sampleId)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['project', slug, 'samples'] }),
  })
}

import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cloudOf } from '../state/cloud'

const getPoints = async (sampleId: number) =>
  cloudOf(await unwrap(api.GET('/api/v1/samples/{sample_id}/points', { params: { path: { sample_id: sampleId } } })))

/** Where every image of a sample lies. A sample never changes, so this is read once. */
const pointsQuery = (sampleId: number) =>
  queryOptions({ queryKey: ['sample', sampleId, 'points'], queryFn: () => getPoints(sampleId), staleTime: Infinity })

export function usePoints(sampleId: number) {
  return useQuery(pointsQuery(sampleId))
}

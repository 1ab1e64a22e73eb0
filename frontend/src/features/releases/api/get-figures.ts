import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { keyOf, type ReleaseSource } from './source'

const getFigures = (source: ReleaseSource) =>
  source.kind === 'member'
    ? unwrap(api.GET('/api/v1/releases/{release_id}/figures', { params: { path: { release_id: source.id } } }))
    : unwrap(api.GET('/api/v1/public/releases/{token}/figures', { params: { path: { token: source.token } } }))

export function useFigures(source: ReleaseSource) {
  return useQuery({
    queryKey: [...keyOf(source), 'figures'],
    queryFn: () => getFigures(source),
    staleTime: Infinity,
  })
}

import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

const getSelection = (slug: string, imageId: number) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/images/{image_id}/selection', { params: { path: { slug, image_id: imageId } } }),
  )

const selectionQuery = (slug: string, imageId: number) =>
  queryOptions({
    queryKey: ['project', slug, 'image', imageId, 'selection'],
    queryFn: () => getSelection(slug, imageId),
  })

export function useSelection(slug: string, imageId: number) {
  return useQuery(selectionQuery(slug, imageId))
}

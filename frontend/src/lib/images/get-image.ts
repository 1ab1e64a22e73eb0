import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

const getImage = (slug: string, imageId: number) =>
  unwrap(api.GET('/api/v1/projects/{slug}/images/{image_id}', { params: { path: { slug, image_id: imageId } } }))

export const imageQuery = (slug: string, imageId: number) =>
  queryOptions({ queryKey: ['project', slug, 'image', imageId], queryFn: () => getImage(slug, imageId) })

export function useImage(slug: string, imageId: number) {
  return useQuery(imageQuery(slug, imageId))
}

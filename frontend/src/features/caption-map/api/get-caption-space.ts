import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

const getCaptionSpace = (slug: string, imageId: number) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/images/{image_id}/caption_space', {
      params: { path: { slug, image_id: imageId } },
    }),
  )

const captionSpaceQuery = (slug: string, imageId: number) =>
  queryOptions({
    queryKey: ['project', slug, 'image', imageId, 'caption-space'],
    queryFn: () => getCaptionSpace(slug, imageId),
  })

/** The good captions of an image on its own plane, with their clusters and those that Select chose. */
export function useCaptionSpace(slug: string, imageId: number) {
  return useQuery(captionSpaceQuery(slug, imageId))
}

import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'

const getCandidates = (slug: string, imageId: number, cursor?: string) =>
  unwrap(
    api.GET('/api/v1/projects/{slug}/images/{image_id}/candidates', {
      params: { path: { slug, image_id: imageId }, query: { limit: 200, ...(cursor && { cursor }) } },
    }),
  )

const candidatesQuery = (slug: string, imageId: number) =>
  infiniteQueryOptions({
    queryKey: ['project', slug, 'image', imageId, 'candidates'],
    queryFn: ({ pageParam }) => getCandidates(slug, imageId, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

export function useCandidates(slug: string, imageId: number) {
  return useInfiniteQuery(candidatesQuery(slug, imageId))
}

import { queryOptions, useQuery } from '@tanstack/react-query'
import { ApiError } from '@/lib/api/api-error'
import { api, unwrap } from '@/lib/api/client'
import type { RetrievedPool } from '@/lib/api/served'

/** Null where nothing was retrieved for this image yet. */
async function getRetrieved(slug: string, imageId: number): Promise<RetrievedPool | null> {
  try {
    const params = { path: { slug, image_id: imageId } }
    return await unwrap(api.GET('/api/v1/projects/{slug}/images/{image_id}/pool', { params }))
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

const retrievedQuery = (slug: string, imageId: number) =>
  queryOptions({
    queryKey: ['project', slug, 'retrieved', imageId],
    queryFn: () => getRetrieved(slug, imageId),
  })

export function useRetrieved(slug: string, imageId: number) {
  return useQuery(retrievedQuery(slug, imageId))
}

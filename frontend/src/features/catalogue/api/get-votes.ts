import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { Votes } from '@/lib/api/served'

/** All votes on one image: a few pages at the very most. */
async function getVotes(slug: string, imageId: number): Promise<Votes[]> {
  const votes: Votes[] = []
  let cursor: string | undefined
  do {
    const page = await unwrap(
      api.GET('/api/v1/projects/{slug}/images/{image_id}/votes', {
        params: { path: { slug, image_id: imageId }, query: { limit: 500, ...(cursor && { cursor }) } },
      }),
    )
    votes.push(...page.results)
    cursor = cursorOf(page.next)
  } while (cursor)
  return votes
}

const votesQuery = (slug: string, imageId: number) =>
  queryOptions({ queryKey: ['project', slug, 'image', imageId, 'votes'], queryFn: () => getVotes(slug, imageId) })

export function useVotes(slug: string, imageId: number) {
  return useQuery(votesQuery(slug, imageId))
}

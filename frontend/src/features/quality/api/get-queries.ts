import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Query } from '@/lib/api/served'

export const queriesShown = 50

async function getQueries(slug: string, text: string): Promise<readonly Query[]> {
  const page = await unwrap(
    api.GET('/api/v1/projects/{slug}/queries', {
      params: { path: { slug }, query: { limit: queriesShown, ...(text && { text }) } },
    }),
  )
  return page.results
}

export const queriesQuery = (slug: string, text: string) =>
  queryOptions({
    queryKey: ['project', slug, 'queries', text],
    queryFn: () => getQueries(slug, text),
    placeholderData: (earlier) => earlier,
  })

/** The first of the project's queries with these words in them. */
export function useQueries(slug: string, text: string) {
  return useQuery(queriesQuery(slug, text))
}

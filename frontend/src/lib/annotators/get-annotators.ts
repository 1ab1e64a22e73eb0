import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { AnnotatorRow } from '@/lib/api/figures'

export const annotatorsKey = (slug: string) => ['project', slug, 'quality', 'annotators'] as const

/** All pages, so that a table of them can be sorted and filtered by any column. */
async function getAnnotators(slug: string): Promise<AnnotatorRow[]> {
  const rows: AnnotatorRow[] = []
  let cursor: string | undefined
  do {
    const page = await unwrap(
      api.GET('/api/v1/projects/{slug}/annotators', {
        params: { path: { slug }, query: { sort: 'username', ...(cursor && { cursor }) } },
      }),
    )
    rows.push(...page.results)
    cursor = cursorOf(page.next)
  } while (cursor)
  return rows
}

export const annotatorsQuery = (slug: string) =>
  queryOptions({ queryKey: [...annotatorsKey(slug), 'all'], queryFn: () => getAnnotators(slug) })

/** Everybody who began to work on the project, and what they did. */
export function useAnnotators(slug: string) {
  return useQuery(annotatorsQuery(slug))
}

import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Page, Project } from '@/lib/api/contract'
import { cursorOf } from '@/lib/api/cursor'

export const getProjects = (cursor?: string): Promise<Page<Project>> =>
  unwrap(api.GET('/api/v1/projects', { params: { query: cursor ? { cursor } : {} } }))

export const projectsQuery = infiniteQueryOptions({
  queryKey: ['projects'],
  queryFn: ({ pageParam }) => getProjects(pageParam),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => cursorOf(page.next),
})

export function useProjects() {
  return useInfiniteQuery(projectsQuery)
}

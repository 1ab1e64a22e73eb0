import { useQueries, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Candidate, Example } from '@/lib/api/served'

/** Captions that a rule of cleaning removed or repaired; of a page of the latter only some are the rule's own doing. */
export function useRuleSamples(slug: string, rules: readonly string[]) {
  return useQueries({
    queries: rules.map((rule) => ({
      queryKey: ['project', slug, 'samples', rule],
      queryFn: (): Promise<{ results: Example[] }> =>
        unwrap(
          api.GET('/api/v1/projects/{slug}/funnel/{rule}', { params: { path: { slug, rule }, query: { limit: 20 } } }),
        ),
    })),
    combine: (found) => ({
      isPending: found.some(({ isPending }) => isPending),
      pages: found.map(({ data }, place) => ({ rule: rules[place] ?? '', examples: data?.results ?? [] })),
    }),
  })
}

export const nPictures = 8

/** Some of the images, oldest first. */
export function useSampleImages(slug: string) {
  return useQuery({
    queryKey: ['project', slug, 'samples', 'images'],
    queryFn: () =>
      unwrap(api.GET('/api/v1/projects/{slug}/images', { params: { path: { slug }, query: { limit: nPictures } } })),
  })
}

/** Two captions of a source for each image. */
export function useSampleCaptions(slug: string, images: readonly number[]) {
  return useQueries({
    queries: images.map((image_id) => ({
      queryKey: ['project', slug, 'samples', 'captions', image_id],
      queryFn: (): Promise<{ results: Candidate[] }> =>
        unwrap(
          api.GET('/api/v1/projects/{slug}/images/{image_id}/candidates', {
            params: { path: { slug, image_id }, query: { limit: 2, sort: 'similarity', status: 'kept' } },
          }),
        ),
    })),
    combine: (found) => found.map(({ data }) => data?.results ?? []),
  })
}

import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'

const nPictures = 5

/** The first image for which something was found, and the captions that it got, with their corpus images. */
async function getFound(slug: string) {
  const pools = await unwrap(
    api.GET('/api/v1/projects/{slug}/pools', { params: { path: { slug }, query: { limit: 1 } } }),
  )
  const first = pools.results[0]
  if (!first) return null
  const path = { slug, image_id: first.image }
  const [image, candidates] = await Promise.all([
    unwrap(api.GET('/api/v1/projects/{slug}/images/{image_id}', { params: { path } })),
    unwrap(
      api.GET('/api/v1/projects/{slug}/images/{image_id}/candidates', {
        params: { path, query: { source: 'corpus', status: 'kept', limit: nPictures } },
      }),
    ),
  ])
  return { image, captions: candidates.results }
}

export function useFound(slug: string) {
  return useQuery(queryOptions({ queryKey: ['project', slug, 'corpora', 'found'], queryFn: () => getFound(slug) }))
}

/** How many captions came from corpora and stayed, and how many corpus images wait for a decision. */
async function getYield(slug: string) {
  const path = { slug }
  const [funnel, suspects] = await Promise.all([
    unwrap(api.GET('/api/v1/projects/{slug}/funnel', { params: { path } })),
    unwrap(api.GET('/api/v1/projects/{slug}/suspects/counts', { params: { path } })),
  ])
  const from = funnel.sources.find(({ source }) => source === 'corpus')
  return { nFound: from?.n_candidates ?? 0, nKept: from?.n_kept ?? 0, nSuspects: suspects.open }
}

export function useYield(slug: string) {
  return useQuery(queryOptions({ queryKey: ['project', slug, 'corpora', 'yield'], queryFn: () => getYield(slug) }))
}

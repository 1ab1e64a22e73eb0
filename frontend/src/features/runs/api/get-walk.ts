import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Stage, Walk } from '@/lib/api/served'
import { inOurLanguage } from '@/lib/language/catalogue'

const quickMs = 1500
const calmMs = 20_000

export async function getWalk(slug: string): Promise<Walk> {
  const walk = await unwrap(api.GET('/api/v1/projects/{slug}/walk', { params: { path: { slug } } }))
  return { ...walk, stages: walk.stages.map(inOurWords) }
}

const inOurWords = (stage: Stage): Stage => ({
  ...stage,
  label: inOurLanguage(stage.label, null, stage.label),
  explanation: inOurLanguage(stage.explanation, null, stage.explanation),
  why_not: inOurLanguage(stage.why_not, null, stage.why_not),
  parameters: stage.parameters.map((each) => ({
    ...each,
    label: inOurLanguage(each.label, null, each.label),
    help: inOurLanguage(each.help, null, each.help),
    unit: inOurLanguage(each.unit, null, each.unit),
  })),
})

/** Asked again quickly while a stage runs, and now and then while people judge. */
export const walkQuery = (slug: string) =>
  queryOptions({
    queryKey: ['project', slug, 'walk'],
    queryFn: () => getWalk(slug),
    refetchInterval: ({ state }) => (state.data?.stages.some((stage) => stage.state === 'running') ? quickMs : calmMs),
  })

export function useWalk(slug: string) {
  return useQuery(walkQuery(slug))
}

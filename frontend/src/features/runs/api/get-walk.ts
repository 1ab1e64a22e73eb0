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

const inOurSentence = (said: NonNullable<Stage['warning']>) => ({
  ...said,
  message: inOurLanguage(said.code, said.params, said.message),
})

const inOurWords = (stage: Stage): Stage => {
  const say = (part: string, said: string) => inOurLanguage(`stage_${stage.name}_${part}`, null, said)
  return {
    ...stage,
    label: say('label', stage.label),
    explanation: say('explanation', stage.explanation),
    why_not: inOurLanguage(stage.why_not_code, null, stage.why_not),
    warning: stage.warning && inOurSentence(stage.warning),
    obstacle: stage.obstacle && inOurSentence(stage.obstacle),
    parameters: stage.parameters.map((each) => ({
      ...each,
      label: say(`${each.name}_label`, each.label),
      help: say(`${each.name}_help`, each.help),
      unit: say(`${each.name}_unit`, each.unit),
    })),
  }
}

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

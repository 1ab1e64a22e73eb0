import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Agreement, AnnotatorAgreement } from '@/lib/api/served'

export type Scope = Agreement['scope']
export type PairReading = 'value' | 'missing' | 'middle_linear' | 'middle_quadratic'

const getAgreement = (slug: string, scope: Scope): Promise<Agreement> =>
  unwrap(api.GET('/api/v1/projects/{slug}/agreement', { params: { path: { slug }, query: { scope } } }))

export const agreementQuery = (slug: string, scope: Scope) =>
  queryOptions({
    queryKey: ['project', slug, 'quality', 'agreement', scope],
    queryFn: () => getAgreement(slug, scope),
  })

export function useAgreement(slug: string, scope: Scope) {
  return useQuery(agreementQuery(slug, scope))
}

const getPairs = (slug: string, reading: PairReading): Promise<AnnotatorAgreement> =>
  unwrap(api.GET('/api/v1/projects/{slug}/agreement/annotators', { params: { path: { slug }, query: { reading } } }))

export const pairsQuery = (slug: string, reading: PairReading) =>
  queryOptions({ queryKey: ['project', slug, 'quality', 'pairs', reading], queryFn: () => getPairs(slug, reading) })

export function useAnnotatorAgreement(slug: string, reading: PairReading) {
  return useQuery(pairsQuery(slug, reading))
}

import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import type { Calibrations } from '@/lib/api/served'

const quickMs = 2000
const key = (slug: string) => ['project', slug, 'calibrations'] as const

/** Whether the newest run of the stage goes on. */
export const isRunning = ({ run }: Pick<Calibrations, 'run'>): boolean =>
  run?.status === 'queued' || run?.status === 'running'

const modelsQuery = (slug: string) =>
  queryOptions({
    queryKey: [...key(slug), 'all'],
    queryFn: () => unwrap(api.GET('/api/v1/projects/{slug}/calibrations', { params: { path: { slug } } })),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? quickMs : false),
  })

/** The models with their calibrations; read again while one is being calibrated. */
export const useModels = (slug: string) => useQuery(modelsQuery(slug))

/** One calibration with its curve. It never changes, but for whether it still holds. */
export function useCalibration(slug: string, id: number) {
  return useQuery({
    queryKey: [...key(slug), id],
    queryFn: () =>
      unwrap(
        api.GET('/api/v1/projects/{slug}/calibrations/{record_id}', { params: { path: { slug, record_id: id } } }),
      ),
  })
}

export interface Asked {
  models: string
  pairs: string
  batch_size: number
  most: number
  seed: number
}

/** Starts the stage that calibrates. */
export function useCalibrate(slug: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ seed, ...parameters }: Asked) =>
      unwrap(
        api.POST('/api/v1/projects/{slug}/runs', {
          params: { path: { slug } },
          body: { stage: 'calibrate', parameters, seed },
        }),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: key(slug) }),
  })
}

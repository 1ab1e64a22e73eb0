import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { api, unwrap } from '@/lib/api/client'
import { cursorOf } from '@/lib/api/cursor'
import type { WebhookChangeIn, WebhookIn } from '@/lib/api/served'
import { useChange } from '@/lib/api/use-change'

const webhooksKey = (slug: string) => ['project', slug, 'webhooks'] as const
const place = (slug: string, id: number) => ({ params: { path: { slug, webhook_id: id } } })
const UNTRIED_MS = 2000
const PENDING_MS = 15_000

/** The webhooks of a project: at most 20, so one page holds them. */
export function useWebhooks(slug: string) {
  return useQuery(
    queryOptions({
      queryKey: [...webhooksKey(slug), 'list'],
      queryFn: () => unwrap(api.GET('/api/v1/projects/{slug}/webhooks', { params: { path: { slug } } })),
    }),
  )
}

const deliveriesQuery = (slug: string, id: number) =>
  infiniteQueryOptions({
    queryKey: [...webhooksKey(slug), id, 'deliveries'],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/projects/{slug}/webhooks/{webhook_id}/deliveries', {
          params: { path: { slug, webhook_id: id }, query: { limit: 20, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
  })

/** What was sent to a webhook, newest first; asked for again while a message waits, often before its first try. */
export function useDeliveries(slug: string, id: number) {
  return useInfiniteQuery({
    ...deliveriesQuery(slug, id),
    refetchInterval: ({ state }) => {
      const deliveries = state.data?.pages.flatMap((page) => page.results) ?? []
      const waiting = deliveries.filter((each) => each.state === 'pending')
      if (waiting.some(({ tries }) => tries.length === 0)) return UNTRIED_MS
      return waiting.length > 0 && PENDING_MS
    },
  })
}

/** The answer alone carries the secret. */
export const useCreateWebhook = (slug: string) =>
  useChange(webhooksKey(slug), (body: WebhookIn) =>
    unwrap(api.POST('/api/v1/projects/{slug}/webhooks', { params: { path: { slug } }, body })),
  )

export const useChangeWebhook = (slug: string, id: number) =>
  useChange(webhooksKey(slug), (body: WebhookChangeIn) =>
    unwrap(api.PATCH('/api/v1/projects/{slug}/webhooks/{webhook_id}', { ...place(slug, id), body })),
  )

export const useDeleteWebhook = (slug: string, id: number) =>
  useChange(webhooksKey(slug), async () => {
    await api.DELETE('/api/v1/projects/{slug}/webhooks/{webhook_id}', place(slug, id))
  })

/** The answer alone carries the secret. */
export const useRenewSecret = (slug: string, id: number) =>
  useChange(webhooksKey(slug), () => unwrap(api.POST('/api/v1/projects/{slug}/webhooks/{webhook_id}/secret', place(slug, id))))

export const useSendTest = (slug: string, id: number) =>
  useChange(webhooksKey(slug), () => unwrap(api.POST('/api/v1/projects/{slug}/webhooks/{webhook_id}/test', place(slug, id))))

export const useSendAgain = (slug: string, id: number) =>
  useChange(webhooksKey(slug), (delivery: number) =>
    unwrap(
      api.POST('/api/v1/projects/{slug}/webhooks/{webhook_id}/deliveries/{delivery_id}/again', {
        params: { path: { slug, webhook_id: id, delivery_id: delivery } },
      }),
    ),
  )

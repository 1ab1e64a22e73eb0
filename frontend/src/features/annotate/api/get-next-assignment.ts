import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, beside, unwrap } from '@/lib/api/client'
import type { NextAssignment } from '@/lib/api/contract'
import { usernameOf } from '@/lib/session/get-session'
import { orFromDesk } from '@/lib/store/kept-desk'
import { forgetOldDrafts, recallDraft } from '../state/drafts'
import { keptBehind, keptOnDesk } from '../state/kept-hand'
import { type Outbox, outboxOf } from '../state/outbox'
import { preloadAssignment } from '../state/preload-assignment'
import { recallNewest } from '../state/server-drafts'

/**
 * The HIT this person holds, or the next that needs them; what is in `holding` they have in hand already. `options` is
 * `beside` where nobody waits for it.
 */
export const getNextAssignment = (
  slug: string,
  holding: readonly string[] = [],
  options: Partial<typeof beside> = {},
): Promise<NextAssignment> =>
  unwrap(
    api.POST('/api/v1/projects/{slug}/assignments/next', {
      ...options,
      params: { path: { slug } },
      body: { holding: [...holding] },
    }),
  )

const patienceMs = 3000

/** What is leased is only ever replaced, never refreshed behind the person's back. */
const leased = { staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false } as const

/** The HIT on the desk, with its draft. What was submitted and not sent before is sent first: it is no HIT to judge. */
export const nextAssignmentQuery = (slug: string) =>
  queryOptions({
    queryKey: ['next-assignment', slug],
    queryFn: async ({ client }) => {
      const owner = usernameOf(client)
      void forgetOldDrafts()
      const waiting = await sentFirst(outboxOf(client, owner))
      const found = await orFromDesk(() => getNextAssignment(slug, waiting), keptOnDesk(slug, waiting))
      if (found.assignment) await recallNewest(owner, found.assignment)
      return found
    },
    ...leased,
  })

/** Which HITs still wait to be sent, once those that could be are. */
async function sentFirst(outbox: Outbox): Promise<string[]> {
  const { waiting } = await outbox.read()
  if (waiting.length > 0) await Promise.race([outbox.send(), new Promise((resolve) => setTimeout(resolve, patienceMs))])
  return outbox.snapshot().waiting.map(({ assignmentId }) => assignmentId)
}

export function useNextAssignment(slug: string) {
  return useQuery(nextAssignmentQuery(slug))
}

/** The HIT after the one on the desk, fetched while that is judged, its pictures decoded. */
export const upcomingAssignmentQuery = (slug: string, current: string) =>
  queryOptions({
    queryKey: ['upcoming-assignment', slug, current],
    queryFn: async ({ client }) => {
      const found = await orFromDesk(() => getNextAssignment(slug, [current], beside), keptBehind(slug, current))
      if (found.assignment) void preloadAssignment(found.assignment)
      if (found.assignment) await recallDraft(usernameOf(client), found.assignment.id)
      return found
    },
    ...leased,
    retry: false,
  })

export function useUpcomingAssignment(slug: string, current: string | undefined, isWanted: boolean) {
  return useQuery({
    ...upcomingAssignmentQuery(slug, current ?? ''),
    enabled: current !== undefined && isWanted,
  })
}

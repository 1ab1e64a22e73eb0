import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { asApiError } from '@/lib/api/api-error'
import type { Assignment, NextAssignment } from '@/lib/api/contract'
import { nextAssignmentQuery, upcomingAssignmentQuery } from '../api/get-next-assignment'
import { sendHeartbeat } from '../api/send-heartbeat'

const lookMs = 15_000
const lostCode = 'lease_expired'
const marginMs = 4 * 60_000
const stirs = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const

/** A few minutes before the end, or half-way through a lease that is short. */
export const isDue = (expiresAt: string, leaseMs: number, now: number): boolean =>
  Date.parse(expiresAt) - now < Math.min(marginMs, leaseMs / 2)

/**
 * Holds the HIT on the desk, and the one in hand behind it, for as long as somebody is at it: the page is in sight and
 * a key, finger or pointer has stirred within one lease. Who went home loses them, as they should: true once the one on
 * the desk went back to the others.
 */
export function useHeartbeat(
  slug: string,
  leaseMinutes: number,
  current: Assignment,
  upcoming: Assignment | null,
): boolean {
  const [lost, setLost] = useState('')
  const queryClient = useQueryClient()
  const stirredAt = useStirring()
  const { id, expires_at: expiresAt } = current
  const behind = upcoming?.id
  const isLost = lost === id
  useEffect(() => {
    if (isLost) return
    const leaseMs = leaseMinutes * 60_000
    const beat = async () => {
      const isAtIt = document.visibilityState === 'visible' && Date.now() - stirredAt.current < leaseMs
      if (!isAtIt || !isDue(expiresAt, leaseMs, Date.now())) return
      const until = await sendHeartbeat(id)
      queryClient.setQueryData<NextAssignment>(nextAssignmentQuery(slug).queryKey, prolonged(id, until))
      if (!behind) return
      const untilBehind = await sendHeartbeat(behind)
      queryClient.setQueryData<NextAssignment>(
        upcomingAssignmentQuery(slug, id).queryKey,
        prolonged(behind, untilBehind),
      )
    }
    // Whatever else goes wrong, the time left is on the screen, and what is submitted late is kept.
    const look = () => void beat().catch((error: unknown) => setLost(asApiError(error).code === lostCode ? id : ''))
    const timer = setInterval(look, lookMs)
    return () => clearInterval(timer)
  }, [queryClient, slug, leaseMinutes, id, expiresAt, behind, isLost, stirredAt])
  return isLost
}

const prolonged = (id: string, until: string) => (held: NextAssignment | undefined) =>
  held?.assignment?.id === id ? { ...held, assignment: { ...held.assignment, expires_at: until } } : held

function useStirring() {
  const stirredAt = useRef(0)
  useEffect(() => {
    const stir = () => {
      stirredAt.current = Date.now()
    }
    stir()
    stirs.forEach((name) => window.addEventListener(name, stir, { passive: true }))
    return () => stirs.forEach((name) => window.removeEventListener(name, stir))
  }, [])
  return stirredAt
}

import { useEffect, useState } from 'react'

const tickMs = 15_000

export const minutesUntil = (expiresAt: string, now: number): number =>
  Math.max(0, Math.ceil((new Date(expiresAt).getTime() - now) / 60_000))

/** Whole minutes until the lease ends, counted down while the page is open. */
export function useMinutesLeft(expiresAt: string): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return minutesUntil(expiresAt, now)
}

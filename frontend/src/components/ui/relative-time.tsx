import { useSyncExternalStore } from 'react'
import { absoluteTime, relativeTime } from '@/lib/format/time'

const tickMs = 30_000
let now = Date.now()

function subscribe(listener: () => void): () => void {
  now = Date.now()
  const timer = setInterval(() => {
    now = Date.now()
    listener()
  }, tickMs)
  return () => clearInterval(timer)
}

/** "3 hours ago", the absolute date on hover and for machines. */
export function RelativeTime({ at }: { at: string }) {
  const current = useSyncExternalStore(subscribe, () => now)
  const then = new Date(at)
  return (
    <time dateTime={at} title={absoluteTime(then)}>
      {relativeTime(then, seenFrom(then, current))}
    </time>
  )
}

/** The clock ticks twice a minute: what happened since the last tick is not in the future. */
function seenFrom(then: Date, tick: number): Date {
  const ahead = then.getTime() - tick
  return ahead > 0 && ahead < 2 * tickMs ? then : new Date(tick)
}

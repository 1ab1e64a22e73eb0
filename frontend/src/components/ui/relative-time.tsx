import { useSyncExternalStore } from 'react'
import { absoluteTime, relativeTime } from '@/lib/format/time'

const tickMs = 30_000
let now = Date.now()

function subscribe(listener: () => void): () => void {
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
      {relativeTime(then, new Date(Math.max(current, now)))}
    </time>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { showToast } from '@/components/ui/toast-store'
import { useObserved } from '@/lib/observed'
import { usernameOf, useMe } from '@/lib/session/get-session'
import { onStoreTrouble } from '@/lib/store/shelf'
import { t } from '@/messages/annotate'
import { counterOf } from './counter'
import { type Outbox, outboxOf, type OutboxState } from './outbox'
import { sendDraftsNow } from './server-drafts'

const againMs = 15_000
const storeTroubleWords = t.noRoom

export function useOutbox(): { outbox: Outbox; state: OutboxState } {
  const queryClient = useQueryClient()
  const me = useMe()?.username
  const outbox = outboxOf(queryClient, me ?? usernameOf(queryClient))
  return { outbox, state: useObserved(outbox) }
}

/** Sends what waits for as long as the page is open: when the network is back, when the page is, and now and then. */
export function useSending(slug: string): void {
  const queryClient = useQueryClient()
  const { outbox, state } = useOutbox()
  const { obstacle } = state
  useEffect(() => outbox.attach(counterOf(queryClient, slug, outbox)), [queryClient, slug, outbox])
  useEffect(() => {
    const send = () => {
      if (document.visibilityState === 'visible' && outbox.snapshot().waiting.length > 0) void outbox.send()
    }
    window.addEventListener('online', send)
    document.addEventListener('visibilitychange', send)
    return () => {
      window.removeEventListener('online', send)
      document.removeEventListener('visibilitychange', send)
    }
  }, [outbox])
  useEffect(() => {
    const leave = () => {
      if (document.visibilityState === 'hidden') sendDraftsNow(true)
    }
    const back = () => sendDraftsNow(false)
    document.addEventListener('visibilitychange', leave)
    window.addEventListener('pagehide', leave)
    window.addEventListener('online', back)
    return () => {
      document.removeEventListener('visibilitychange', leave)
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('online', back)
    }
  }, [])
  useEffect(() => {
    if (!obstacle || obstacle.isSignedOut) return undefined
    const timer = setTimeout(() => void outbox.send(), Math.max(againMs, obstacle.restMs))
    return () => clearTimeout(timer)
  }, [outbox, obstacle])
  useStoreTrouble()
}

/** Says once that nothing is kept here. */
function useStoreTrouble(): void {
  useEffect(() => {
    const stop = onStoreTrouble(() => {
      stop()
      showToast(storeTroubleWords, 'bad')
    })
    return stop
  }, [])
}

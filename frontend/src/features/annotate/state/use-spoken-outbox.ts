import { useEffect, useRef } from 'react'
import { announce } from '@/components/ui/announcer-store'
import { t } from '@/messages/annotate'
import { noticeFor } from './notice'
import { useOutbox } from './use-outbox'

/** Says once what keeps submitted work from the server or was not taken by it, and when all of it has arrived. */
export function useSpokenOutbox(): void {
  const { state } = useOutbox()
  const { waiting, refused, obstacle } = state
  const trouble = obstacle ? `${obstacle.isOffline} ${obstacle.isSignedOut} ${obstacle.message}` : ''
  const latest = useRef(state)
  useEffect(() => {
    latest.current = state
  })
  const isTold = useRef(false)
  useEffect(() => {
    const words = noticeFor(latest.current, null)?.text
    if (words && (trouble || refused.length > 0)) announce(words, 'assertive')
    if (trouble) isTold.current = true
  }, [trouble, refused.length])
  const isOver = trouble === '' && waiting.length === 0
  useEffect(() => {
    if (!isOver || !isTold.current) return
    isTold.current = false
    announce(t.allArrived)
  }, [isOver])
}

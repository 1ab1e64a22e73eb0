import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { api, beside, unwrap } from '@/lib/api/client'
import type { Remark } from '@/lib/api/served'
import { unreadQuery } from '@/lib/feedback/get-unread'

/** A card that passed by while scrolling was not read. */
const lookMs = 800

async function markSeen(queryClient: QueryClient, slug: string, remarks: readonly Remark[]): Promise<void> {
  const sent = remarks.map(({ id, replies }) => ({ id, n_replies: replies.length }))
  const left = await unwrap(
    api.POST('/api/v1/projects/{slug}/inbox/seen', {
      params: { path: { slug } },
      body: { remarks: sent },
      ...beside,
    }),
  )
  queryClient.setQueryData(unreadQuery(slug).queryKey, left)
}

/**
 * Tells the server which unread cards the window has shown. The list itself stays as it is, so that what is new is
 * marked as new until the page is left.
 */
export function useMarkSeen(slug: string, list: RefObject<HTMLElement | null>, remarks: readonly Remark[]): void {
  const queryClient = useQueryClient()
  const told = useRef(new Map<number, number>())
  useEffect(() => {
    const box = list.current
    const isNew = ({ id, is_unread, replies }: Remark) => is_unread && told.current.get(id) !== replies.length
    const unread = remarks.filter(isNew)
    if (!box || unread.length === 0) return
    const shown = new Set<Remark>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const tell = () => {
      const seen = [...shown].filter(isNew)
      if (seen.length === 0) return
      seen.forEach(({ id, replies }) => told.current.set(id, replies.length))
      // Where it cannot be told now, it is told when the page is next opened.
      markSeen(queryClient, slug, seen).catch(() => seen.forEach(({ id }) => told.current.delete(id)))
    }
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const remark = remarks[Number((target as HTMLElement).dataset.index)]
        if (!remark) continue
        if (isIntersecting) shown.add(remark)
        else shown.delete(remark)
      }
      clearTimeout(timer)
      timer = setTimeout(tell, lookMs)
    })
    for (const card of box.querySelectorAll('[data-index]')) observer.observe(card)
    return () => {
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [queryClient, slug, list, remarks])
}

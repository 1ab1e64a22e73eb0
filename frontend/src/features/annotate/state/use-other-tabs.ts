import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { showToast } from '@/components/ui/toast-store'
import { onNews } from '@/lib/tabs/news'
import { t } from '@/messages/annotate'
import { upcomingAssignmentQuery } from '../api/get-next-assignment'
import { Hand } from './counter'
import { useOutbox } from './use-outbox'

const words = {
  sent: t.sentElsewhere,
  skipped: t.skippedElsewhere,
}

/** What another tab sent or skipped is no HIT to judge here any more: the next one comes. */
export function useOtherTabs(slug: string): void {
  const queryClient = useQueryClient()
  const { outbox } = useOutbox()
  useEffect(
    () =>
      onNews((news) => {
        if (news.kind !== 'done' || news.owner !== outbox.owner) return
        void outbox.read()
        const hand = new Hand(queryClient, slug)
        const { onDesk } = hand
        if (onDesk?.id === news.assignmentId) {
          showToast(words[news.how])
          hand.moveOn()
        } else if (onDesk && hand.behind(onDesk.id)?.id === news.assignmentId) {
          void queryClient.resetQueries({ queryKey: upcomingAssignmentQuery(slug, onDesk.id).queryKey })
        }
      }),
    [queryClient, slug, outbox],
  )
}

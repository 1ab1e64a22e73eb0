import { useLayoutEffect } from 'react'
import { useAnnouncement } from '@/components/ui/announcer-store'
import { bringFocus } from '@/lib/layout/bring-focus'

/** What stands where a HIT stood is read out, and the focus, which was with the HIT, goes on from the page's begin. */
export function useArrival(words: string): void {
  useAnnouncement(words)
  useLayoutEffect(() => bringFocus(document.querySelector<HTMLElement>('#page')), [])
}

import { useEffect } from 'react'
import { type Observed, observed } from '@/lib/observed'

/** What screen readers say of what just happened: `polite` when they have a moment, `assertive` at once. */
export type Urgency = 'polite' | 'assertive'

export interface Announcement {
  id: number
  text: string
}

export type Announcements = Readonly<Record<Urgency, readonly Announcement[]>>

/** Those said last stay, for whoever looks them up; older ones would only be met by somebody reading on. */
const nKept = 2
const said = observed<Announcements>({ polite: [], assertive: [] })
let lastId = 0

/** Says a sentence to whoever listens; the same one again is said again. */
export function announce(text: string, urgency: Urgency = 'polite'): void {
  lastId += 1
  const all = said.snapshot()
  said.set({ ...all, [urgency]: [...all[urgency], { id: lastId, text }].slice(-nKept) })
}

/** Says a sentence as soon as it stands there, and again once it has become another. */
export function useAnnouncement(text: string | null | undefined, urgency: Urgency = 'polite'): void {
  useEffect(() => {
    if (text) announce(text, urgency)
  }, [text, urgency])
}

export const announcerStore: Observed<Announcements> = said

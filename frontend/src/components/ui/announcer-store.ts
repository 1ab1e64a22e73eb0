import { useEffect } from 'react'
import { type Observed, observed } from '@/lib/observed'

/** What screen readers say of what just happened: `polite` when they have a moment, `assertive` at once. */
export type Urgency = 'polite' | 'assertive'

export interface Announcement {
  id: number
  text: string
}

export type Announcements = Readonly<Record<Urgency, readonly Announcement[]>>

/** The last messages stay, so that a screen reader can find them again. Older ones are removed. */
const nKept = 2
const said = observed<Announcements>({ polite: [], assertive: [] })
let lastId = 0

/** Announces a sentence to screen readers. The same sentence twice is announced twice. */
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

import { useEffect, useState } from 'react'
import { useMe } from '@/lib/session/get-session'
import { hushed, isBreakDue, keepStretch, minutesOf, readStretch, snoozed, type Stretch, stirred } from './stretch'

export interface Break {
  /** Minutes at work without a pause; null while no break is proposed. */
  minutes: number | null
  later: () => void
  enough: () => void
}

const lookMs = 15_000
const stirs = ['keydown', 'pointerdown', 'wheel'] as const

/** Watches how long somebody has been at it. It writes at most once in a look, and draws only where a word changes. */
export function useBreak(): Break {
  const wanted = useMe()?.preferences.break_minutes ?? 0
  const [minutes, setMinutes] = useState<number | null>(null)
  useEffect(() => {
    let hasStirred = true
    const look = () => {
      const now = Date.now()
      const stretch = hasStirred ? stirred(readStretch(), now) : readStretch()
      if (hasStirred && stretch) keepStretch(stretch)
      hasStirred = false
      setMinutes(stretch && isBreakDue(stretch, wanted, now) ? minutesOf(stretch) : null)
    }
    const stir = () => {
      hasStirred = true
    }
    look()
    const timer = setInterval(look, lookMs)
    stirs.forEach((name) => window.addEventListener(name, stir, { passive: true }))
    return () => {
      clearInterval(timer)
      stirs.forEach((name) => window.removeEventListener(name, stir))
    }
  }, [wanted])
  const quieten = (as: (stretch: Stretch) => Stretch) => {
    const stretch = readStretch()
    if (stretch) keepStretch(as(stretch))
    setMinutes(null)
  }
  return { minutes, later: () => quieten((stretch) => snoozed(stretch, Date.now())), enough: () => quieten(hushed) }
}

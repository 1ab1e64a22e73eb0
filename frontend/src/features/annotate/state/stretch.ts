/** A stretch of work without a pause, by the clock of this machine. */
export interface Stretch {
  startedAt: number
  /** When somebody last stirred. */
  lastAt: number
  /** No break is proposed before this moment; never again in this stretch where it is Infinity. */
  quietUntil: number
}

const minuteMs = 60_000
/** Who does nothing for so long has had a pause. */
export const pauseMs = 5 * minuteMs
export const snoozeMs = 10 * minuteMs

/** Somebody stirs: the stretch goes on, or another begins after a pause. */
export function stirred(stretch: Stretch | null, now: number): Stretch {
  if (!stretch || now - stretch.lastAt >= pauseMs || now < stretch.lastAt) {
    return { startedAt: now, lastAt: now, quietUntil: 0 }
  }
  return { ...stretch, lastAt: now }
}

/** Whether a break is to be proposed after `minutes` of work; 0 means never. */
export const isBreakDue = ({ startedAt, lastAt, quietUntil }: Stretch, minutes: number, now: number): boolean =>
  minutes > 0 && now - lastAt < pauseMs && lastAt - startedAt >= minutes * minuteMs && now >= quietUntil

export const minutesOf = ({ startedAt, lastAt }: Stretch): number => Math.floor((lastAt - startedAt) / minuteMs)

export const snoozed = (stretch: Stretch, now: number): Stretch => ({ ...stretch, quietUntil: now + snoozeMs })

export const hushed = (stretch: Stretch): Stretch => ({ ...stretch, quietUntil: Infinity })

const storageKey = 'connote.stretch'

/** Kept for all tabs of this browser, and over a reload. */
export function readStretch(): Stretch | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null')
    if (!Array.isArray(kept) || kept.length !== 3) return null
    const [startedAt, lastAt, quietUntil] = kept as (number | null)[]
    if (typeof startedAt !== 'number' || typeof lastAt !== 'number') return null
    return { startedAt, lastAt, quietUntil: quietUntil ?? Infinity }
  } catch {
    return null
  }
}

/** A storage that is full or forbidden costs a reminder, and nothing else. */
export function keepStretch({ startedAt, lastAt, quietUntil }: Stretch): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify([startedAt, lastAt, quietUntil]))
  } catch {
    return
  }
}

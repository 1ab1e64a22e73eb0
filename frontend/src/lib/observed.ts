import { useSyncExternalStore } from 'react'

/** Those who want to be told that something happened. */
export interface Audience {
  /** Calls back each time it happens; returns the way to hear no more of it. */
  subscribe: (listener: () => void) => () => void
  tell: () => void
  isThere: () => boolean
}

export function audience(): Audience {
  const listeners = new Set<() => void>()
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    tell: () => listeners.forEach((listener) => listener()),
    isThere: () => listeners.size > 0,
  }
}

/** A value outside React, for those who read it: as it stands, and told each time it is set. */
export interface Observed<Value> {
  subscribe: Audience['subscribe']
  snapshot: () => Value
}

/** The same, for whoever keeps it. */
export interface Keeper<Value> extends Observed<Value> {
  set: (next: Value) => void
  isObserved: () => boolean
}

/** Keeps a value that components follow with `useObserved`. It is replaced, never changed in place. */
export function observed<Value>(first: Value): Keeper<Value> {
  const { subscribe, tell, isThere } = audience()
  let value = first
  return {
    subscribe,
    snapshot: () => value,
    set: (next) => {
      value = next
      tell()
    },
    isObserved: isThere,
  }
}

/** The value as it stands now; the component is drawn anew with each other one. */
export const useObserved = <Value>({ subscribe, snapshot }: Observed<Value>): Value =>
  useSyncExternalStore(subscribe, snapshot)

import { useSyncExternalStore } from 'react'

/** Whether the window is wider than this: "60rem". Where nobody can say, it is. */
export function useIsWide(width: string): boolean {
  const query = `(max-width: ${width})`
  return useSyncExternalStore(
    (listener) => {
      const list = ask(query)
      list?.addEventListener('change', listener)
      return () => list?.removeEventListener('change', listener)
    },
    () => !(ask(query)?.matches ?? false),
  )
}

const ask = (query: string): MediaQueryList | null =>
  typeof globalThis.matchMedia === 'function' ? globalThis.matchMedia(query) : null

/** Something only one tab of this browser may work on. */
export interface Hold {
  /** Takes it away from the tab that has it. */
  takeOver: () => void
  release: () => void
}

/**
 * Holds what has this name as soon as no other tab does, and says each time whether it is ours: not where another tab
 * was first or took it over, again once that one is closed or done. Browsers without locks (a page without HTTPS) let
 * every tab have it.
 */
export function holdAlone(name: string, tell: (isOurs: boolean) => void): Hold {
  // Missing outside secure contexts, whatever its type says.
  const locks = navigator.locks as LockManager | undefined
  let letGo: () => void = () => undefined
  let queue = new AbortController()
  let isOver = false

  const keep = async (lock: Lock | null) => {
    if (isOver) return
    tell(lock !== null)
    if (!lock) void wait()
    else await new Promise<void>((resolve) => (letGo = resolve))
  }
  const ask = async (options: LockOptions) => {
    try {
      await locks?.request(name, options, keep)
    } catch {
      // Given up by ourselves, or taken over by another tab.
      if (isOver || options.signal?.aborted) return
      tell(false)
      void wait()
    }
  }
  const wait = () => {
    queue = new AbortController()
    return ask({ signal: queue.signal })
  }

  void ask({ ifAvailable: true })
  return {
    takeOver: () => {
      queue.abort()
      void ask({ steal: true })
    },
    release: () => {
      isOver = true
      queue.abort()
      letGo()
    },
  }
}

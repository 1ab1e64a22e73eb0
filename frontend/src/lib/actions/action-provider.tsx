import { type ReactNode, useEffect, useState } from 'react'
import { ActionContext } from './action-context'
import { ActionRegistry } from './registry'

/** Owns the registry and the one key listener of the page. */
export function ActionProvider({ children }: { children: ReactNode }) {
  const [registry] = useState(() => new ActionRegistry())
  useEffect(() => {
    window.addEventListener('keydown', registry.handleKeyDown)
    return () => window.removeEventListener('keydown', registry.handleKeyDown)
  }, [registry])
  return <ActionContext value={registry}>{children}</ActionContext>
}

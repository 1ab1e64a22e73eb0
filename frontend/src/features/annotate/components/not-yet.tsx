import { useEffect } from 'react'

export interface Closable {
  onClose: () => void
}

/** Stands in for a dialog whose code is on its way: Esc calls it off, for the code may not come without a network. */
export function NotYet({ onClose }: Closable) {
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose()
    }
    window.addEventListener('keydown', handle)
    return () => window.removeEventListener('keydown', handle)
  }, [onClose])
  return null
}

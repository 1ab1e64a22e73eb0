import { useEffect } from 'react'

/** Names the browser's tab; the site's own name comes last. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Connote`
  }, [title])
}

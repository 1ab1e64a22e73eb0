import { useEffect } from 'react'

/** Names the browser's tab; the site's own name comes last. Null leaves the name to others on the page. */
export function usePageTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = `${title} · Connote`
  }, [title])
}

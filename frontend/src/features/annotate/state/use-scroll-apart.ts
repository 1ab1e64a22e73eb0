import { useEffect } from 'react'

/**
 * Keeps what scrolls within the page from the router, which remembers every element that ever scrolled until somebody
 * navigates: here that is hours and hundreds of desks away. The window comes before the document, where it listens.
 */
export function useScrollApart(): void {
  useEffect(() => {
    const keep = (event: Event) => {
      if (event.target instanceof Element && event.target.closest('main')) event.stopPropagation()
    }
    window.addEventListener('scroll', keep, true)
    return () => window.removeEventListener('scroll', keep, true)
  }, [])
}

/** Django's CSRF cookie, set by GET /session and echoed in a header on every write. */
export function csrfToken(cookies: string = document.cookie): string | null {
  const match = /(?:^|;\s*)csrftoken=([^;]+)/.exec(cookies)
  return match?.[1] ? decodeURIComponent(match[1]) : null
}

/** Where to go after signing in: only an address inside this site, so that a link cannot send people elsewhere. */
export function safeNext(next: string | undefined): string {
  if (!next?.startsWith('/')) return '/'
  const address = new URL(next, globalThis.location.origin)
  return address.origin === globalThis.location.origin ? address.pathname + address.search : '/'
}

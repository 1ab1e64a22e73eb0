/** The cursor inside a keyset page's `next` address; undefined on the last page, as TanStack Query expects. */
export function cursorOf(address: string | null): string | undefined {
  if (!address) return undefined
  return new URL(address, globalThis.location.origin).searchParams.get('cursor') ?? undefined
}

import { vi } from 'vitest'

/** The window as on a phone, until `vi.unstubAllGlobals()`. */
export const onPhone = () =>
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => null, removeEventListener: () => null }))

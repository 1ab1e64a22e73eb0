import type { ThemeName } from '@/lib/api/contract'

const storageKey = 'connote.theme'
const names: readonly ThemeName[] = ['system', 'light', 'dark', 'contrast']

export const themeNames = names

function isThemeName(value: string | null): value is ThemeName {
  return names.some((name) => name === value)
}

export function storedTheme(): ThemeName {
  const stored = localStorage.getItem(storageKey)
  return isThemeName(stored) ? stored : 'system'
}

/** `system` leaves the choice to prefers-color-scheme by removing the attribute. */
export function applyTheme(theme: ThemeName): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function storeTheme(theme: ThemeName): void {
  localStorage.setItem(storageKey, theme)
  applyTheme(theme)
}

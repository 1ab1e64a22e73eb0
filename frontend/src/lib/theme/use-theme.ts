import { useEffect, useState } from 'react'
import type { ThemeName } from '@/lib/api/contract'
import { useMe } from '@/lib/session/get-session'
import { useUpdatePreferences } from '@/lib/session/update-preferences'
import { applyTheme, storedTheme, storeTheme, themeNames } from './theme'

const nextTheme = (theme: ThemeName): ThemeName =>
  themeNames[(themeNames.indexOf(theme) + 1) % themeNames.length] ?? 'system'

/** The theme of this browser, following the person's saved preference from machine to machine. */
export function useTheme() {
  const me = useMe()
  const saved = me?.preferences.theme
  const [local, setLocal] = useState(storedTheme)
  const theme = saved ?? local
  const { mutate } = useUpdatePreferences()
  useEffect(() => {
    if (saved) storeTheme(saved)
    else applyTheme(local)
  }, [saved, local])
  const choose = (next: ThemeName) => {
    storeTheme(next)
    setLocal(next)
    if (me) mutate({ ...me.preferences, theme: next })
  }
  const next = nextTheme(theme)
  return { theme, next, choose, cycle: () => choose(next) }
}

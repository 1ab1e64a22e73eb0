import { useEffect, useRef } from 'react'
import type { LanguageName } from '@/lib/api/contract'
import { useMe } from '@/lib/session/get-session'
import { useUpdatePreferences } from '@/lib/session/update-preferences'
import { language, languageFor, storeChoice, storedChoice } from './language'

/** The page is read anew where it would speak another language; where the browser keeps no choice it stays as it is. */
function speak(choice: LanguageName): void {
  if (storeChoice(choice) && languageFor(choice) !== language) globalThis.location.reload()
}

/** Brings the person's saved language to this browser; what is changed elsewhere later waits for the next page. */
export function useSavedLanguage(): void {
  const saved = useMe()?.preferences.language
  const isFirst = useRef(true)
  useEffect(() => {
    if (!saved) return
    if (isFirst.current) speak(saved)
    else storeChoice(saved)
    isFirst.current = false
  }, [saved])
}

/** The language of the site, and the way to choose another: saved first, since the page is read anew. */
export function useLanguage() {
  const me = useMe()
  const { mutate } = useUpdatePreferences()
  const choose = (choice: LanguageName) => {
    if (me) mutate({ ...me.preferences, language: choice }, { onSuccess: () => speak(choice) })
    else speak(choice)
  }
  return { choice: me?.preferences.language ?? storedChoice(), choose }
}

import { useEffect } from 'react'
import { useSuspendedActions } from '@/lib/actions/action-context'
import { isComposing, pressedKeys } from '@/lib/actions/keys'

const modifiers = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'Fn'])

/**
 * While listening, the next key press is a choice and nothing else, told by every name it has. What belongs to the
 * browser is told as well, and left to it: Tab still moves on, and Ctrl with a letter does what it does everywhere.
 */
export function useKeyCapture(isListening: boolean, onKey: (names: readonly string[]) => void): void {
  useSuspendedActions(isListening)
  useEffect(() => {
    if (!isListening) return
    const capture = (event: KeyboardEvent) => {
      if (isComposing(event) || modifiers.has(event.key)) return
      const names = pressedKeys(event)
      const isBrowsers = event.key === 'Tab' || event.ctrlKey || event.metaKey || event.altKey
      if (!isBrowsers) event.preventDefault()
      event.stopPropagation()
      onKey(names.length > 0 ? names : [event.key])
    }
    window.addEventListener('keydown', capture, true)
    return () => window.removeEventListener('keydown', capture, true)
  }, [isListening, onKey])
}

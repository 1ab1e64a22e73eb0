import { useEffect } from 'react'
import { useSuspendedActions } from '@/lib/actions/action-context'

const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta', 'CapsLock', 'Dead', 'Process'])

/** While listening, the next key press is a choice and nothing else; Escape and Tab give up. */
export function useKeyCapture(isListening: boolean, onKey: (key: string) => void, onGiveUp: () => void): void {
  useSuspendedActions(isListening)
  useEffect(() => {
    if (!isListening) return
    const capture = (event: KeyboardEvent) => {
      if (event.isComposing || modifiers.has(event.key)) return
      if (event.key === 'Tab') {
        onGiveUp()
        return
      }
      event.preventDefault()
      event.stopPropagation()
      if (event.key === 'Escape') onGiveUp()
      else onKey(event.key)
    }
    window.addEventListener('keydown', capture, true)
    return () => window.removeEventListener('keydown', capture, true)
  }, [isListening, onKey, onGiveUp])
}

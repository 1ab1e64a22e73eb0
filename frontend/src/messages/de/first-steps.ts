import type { Translation } from '@/lib/language/message'
import type { english } from '../en/first-steps'

export const firstSteps: Translation<typeof english> = {
  byKeys: 'Antworte mit {keys}. Nimm eine Antwort mit {undo} zurück. Alle Tasten zeigt {help}.',
  byTouch: 'Tippe auf eine Antwort. Du kannst sie bis zum Abschicken ändern.',
  gotIt: 'Verstanden',
}

import type { Translation } from '@/lib/language/message'
import type { english } from '../en/keys'

export const keys: Translation<typeof english> = {
  answer: 'Antworten',
  details: 'Ergänzen',
  move: 'Bewegen',
  look: 'Das Bild ansehen',
}

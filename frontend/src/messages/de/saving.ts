import type { Translation } from '@/lib/language/message'
import type { english } from '../en/saving'

export const saving: Translation<typeof english> = {
  discard: 'Änderungen verwerfen',
  seeFields: 'Nicht gespeichert. Korrigiere die markierten Felder.',
}

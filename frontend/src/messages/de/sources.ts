import type { Translation } from '@/lib/language/message'
import type { english } from '../en/sources'

export const sources: Translation<typeof english> = {
  others: 'Andere Bilder',
  web: 'Webtitel',
  corpus: 'Korpus',
  people: 'Menschen',
  queries: 'Suchanfragen',
}

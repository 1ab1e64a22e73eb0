import type { Translation } from '@/lib/language/message'
import type { english } from '../../en/quality/page'

export const page: Translation<typeof english> = {
  quality: 'Qualität',
  qualityLead: 'Übereinstimmung, Annotierende und Qualitätsregeln.',
  refresh: 'Aktualisieren',
  refreshFigures: 'Die Zahlen aktualisieren',
  agreement: 'Übereinstimmung',
  annotators: 'Annotierende',
  policy: 'Qualitätsregeln',
  controls: 'Testfragen',
  forecast: 'Prognose',
  annotator: 'Annotierende Person',
  why: 'Warum',
  byHand: 'Von Hand',
  lowToHigh: '{low} bis {high}',
}

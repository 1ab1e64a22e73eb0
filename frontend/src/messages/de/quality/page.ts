import type { Translation } from '@/lib/language/message'
import type { english } from '../../en/quality/page'

export const page: Translation<typeof english> = {
  quality: 'Qualität',
  qualityLead: 'Worin Urteile übereinstimmen, von wem sie sind und nach welchen Regeln sie zählen.',
  refresh: 'Auffrischen',
  refreshFigures: 'Die Zahlen auffrischen',
  agreement: 'Übereinstimmung',
  annotators: 'Annotierende',
  policy: 'Regelwerk',
  controls: 'Kontrollaufgaben',
  forecast: 'Vorausschau',
  annotator: 'Annotierende Person',
  why: 'Warum',
  byHand: 'Von Hand',
  lowToHigh: '{low} bis {high}',
}

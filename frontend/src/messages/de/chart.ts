import type { Translation } from '@/lib/language/message'
import type { english } from '../en/chart'

export const chart: Translation<typeof english> = {
  asTable: 'Als Tabelle zeigen',
  exportTitled: '„{title}“ exportieren',
  columns: 'Spalten',
  allRows: 'Alle {n} Zeilen zeigen',
  csv: 'Als CSV herunterladen',
  notDrawn: 'Das Diagramm konnte nicht geladen werden. Die Tabelle enthält dieselben Zahlen.',
  notSaved: 'Die Datei konnte nicht erstellt werden. Wähle ein anderes Format.',
}

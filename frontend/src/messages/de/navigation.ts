import type { Translation } from '@/lib/language/message'
import type { english } from '../en/navigation'

export const navigation: Translation<typeof english> = {
  sidebar: 'Seitenleiste',
  toggleSidebar: 'Die Namen in der Seitenleiste zeigen oder verbergen',
  showPages: 'Die Seiten von {group} zeigen',
  pagesOf: 'Seiten: {group}',
  mainPages: 'Hauptseiten',
  apiDocs: 'API-Dokumentation',
  help: 'Hilfe',
  allHelp: 'Anleitungen, Wörter und alle Tastenkürzel',
}

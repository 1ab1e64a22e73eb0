import type { Translation } from '@/lib/language/message'
import type { english } from '../en/preview'

export const preview: Translation<typeof english> = {
  startAnnotating: 'Selbst Aufgaben annotieren',
  annotateYourself: 'Selbst annotieren',
  showAnotherTask: 'Eine andere Aufgabe zeigen',
  anotherTask: 'Andere Aufgabe',
  previewNote: 'Das ist eine Vorschau. Du siehst die Aufgabe wie Annotierende. Nichts wird gespeichert.',
  previewNotSent: 'Nichts wurde gesendet: Das ist eine Vorschau. Hier ist eine andere Aufgabe.',
  previewNotShown: 'Die Vorschau wurde nicht geladen',
  noTasksYet: 'Es gibt noch keine Aufgaben',
  noTasksYetWords: 'Erstelle zuerst Aufgaben. Dann siehst du hier, was Annotierende sehen.',
}

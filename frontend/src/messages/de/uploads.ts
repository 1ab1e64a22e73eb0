import type { Translation } from '@/lib/language/message'
import type { english } from '../en/uploads'

export const uploads: Translation<typeof english> = {
  uploadStopped: 'Das Hochladen wurde gestoppt.',
  filesMore: { by: 'n', one: 'und {n} weitere Datei', other: 'und {n} weitere Dateien' },
  clear: 'Leeren',
  files: { by: 'n', one: '{n} Datei', other: '{n} Dateien' },
  chosenFiles: 'Ausgewählte Dateien',
  chooseFiles: 'Dateien auswählen',
  sent: '{sent} von {total} hochgeladen.',
  allArrived: 'Das Hochladen ist fertig. Der Server prüft jetzt die Dateien.',
  upload: 'Hochladen',
}

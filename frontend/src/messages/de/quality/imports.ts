import type { Translation } from '@/lib/language/message'
import type { english } from '../../en/quality/imports'

export const imports: Translation<typeof english> = {
  elsewhere: 'Antworten von anderen Plattformen',
  elsewhereExplained:
    'Du kannst Antworten zu diesen Paaren von einer anderen Plattform importieren. Sie zählen wie Antworten von hier.',
  importJudgments: 'Antworten importieren',
  judgmentFormat:
    'Nutze eine Tabelle mit den Spalten {task}, {worker} und {label}, wie bei crowd-kit. Möglich sind auch Exporte von Label Studio, doccano, Prodigy, Argilla, Toloka, Appen und Mechanical Turk. Auch Stimmen nach Suchanfrage und Bild (ConQA) sind möglich. Eine Aufgabe ist der Schlüssel eines Paars. Ohne Schlüssel braucht die Datei Bild und Text.',
  theirLabels: 'Antworten in der Datei',
  theirLabelsHint: 'Nur wenn sie nicht good, bad, unsure, yes oder no heißen. Zum Beispiel: passt=good,falsch=bad.',
  otherColumns: 'Die Spalten heißen anders',
  taskColumn: 'Spalte der Aufgabe',
  taskColumnHint: 'Trenne mehrere Spalten mit Kommas. Ohne Spalte sind Bild und Text die Aufgabe.',
  workerColumn: 'Spalte der Person',
  labelColumn: 'Spalte der Antwort',
  labelColumnHint: 'Bei einem Export von Label Studio mit mehreren Auswahlfeldern: Gib den Namen des Feldes ein.',
  fileAnnotator: 'Person der Datei',
  fileAnnotatorHint: 'Nur wenn die Datei keine Person nennt. Eine Datei von doccano heißt wie ihre Person.',
  chooseQueries: 'Datei mit den Texten der Suchanfragen auswählen',
  judgmentsTaken: { by: 'n', one: '{n} Antwort hinzugefügt', other: '{n} Antworten hinzugefügt' },
  ofPeople: { by: 'n', one: 'von {n} Person', other: 'von {n} Personen' },
  refusedAt: { by: 'n', one: 'Einmal, bei {places}', other: '{n}-mal, bei {places}' },
}

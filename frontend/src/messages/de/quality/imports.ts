import type { Translation } from '@/lib/language/message'
import type { english } from '../../en/quality/imports'

export const imports: Translation<typeof english> = {
  elsewhere: 'Anderswo beurteilt',
  elsewhereExplained:
    'Urteile über diese Paare, die auf einer anderen Plattform gefällt wurden, zählen und werden berichtet wie die von hier.',
  importJudgments: 'Urteile importieren',
  judgmentFormat:
    'Eine Tabelle mit den Spalten {task}, {worker} und {label}, wie crowd-kit sie liest; ein Export von Label Studio; oder Stimmen nach Suchanfrage und Bild, wie ConQA sie hat. Eine Aufgabe ist der Schlüssel eines Paars, oder die Datei nennt Bild und Text.',
  theirLabels: 'Bezeichnungen der Datei',
  theirLabelsHint:
    'Wo sie nicht good, bad und unsure oder yes und no sind: was jede hier ist, wie in passt=good,falsch=bad.',
  otherColumns: 'Die Spalten heißen anders',
  taskColumn: 'Spalte der Aufgabe',
  taskColumnHint: 'Mehrere mit Komma. Wo keine ist, sind Bild und Text die Aufgabe.',
  workerColumn: 'Spalte der Person, die geurteilt hat',
  labelColumn: 'Spalte der Bezeichnung',
  labelColumnHint: 'In einem Export von Label Studio der Name der Auswahl, wenn es mehrere gibt.',
  chooseQueries: 'Wortlaut der Suchanfragen wählen',
  judgmentsTaken: { by: 'n', one: '{n} Urteil hinzugefügt', other: '{n} Urteile hinzugefügt' },
  ofPeople: { by: 'n', one: 'von {n} Person', other: 'von {n} Personen' },
  refusedAt: { by: 'n', one: 'Einmal, bei {places}', other: '{n}-mal, bei {places}' },
}

import type { Translation } from '@/lib/language/message'
import type { english } from '../../en/quality/controls'

export const controls: Translation<typeof english> = {
  import: 'Importieren',
  importFromFile: 'Testfragen aus einer Datei importieren',
  addControl: 'Testfrage hinzufügen',
  shownAfterQuiz: 'Annotierende sehen das nach dem Quiz.',
  whySo: 'Erklärung',
  askInQuizHint: 'Sie gehört zum Quiz, mit Rückmeldung. Sie ist nicht in Aufgaben versteckt.',
  askInQuiz: 'Im Quiz benutzen',
  unsureRightHint: 'Nutze das, wenn die Antwort nicht ganz klar ist.',
  unsureRightToo: 'Unsicher ist auch richtig',
  whatIsRight: 'Richtige Antwort',
  captionHint: 'Nur für diese Testfrage. Er wird nie Teil des Datensatzes.',
  caption: 'Bildtext',
  addIt: 'Hinzufügen',
  controlAdded: 'Die Testfrage ist hinzugefügt.',
  bad: 'Schlecht',
  good: 'Gut',
  deleteConsequence:
    'Niemand hat sie gesehen, also geht nichts verloren. Ein Paar des Projekts wird wieder ein normales Paar.',
  deleteIt: 'Löschen',
  deleteQuestion: 'Diese Testfrage löschen?',
  delete: 'Löschen',
  deleteText: 'Löschen: {text}',
  putBack: 'Wieder aktivieren',
  retire: 'Deaktivieren',
  controlInUse: 'Die Testfrage ist wieder aktiv.',
  controlRetired:
    'Die Testfrage ist nicht mehr aktiv. Annotierende bekommen sie nicht mehr. Frühere Antworten zählen weiter.',
  answerWrong: 'Als falsch markieren',
  controlQuarantined: 'Die Testfrage zählt nicht mehr. Die Regeln prüfen innerhalb einer Stunde noch einmal.',
  putBackInUse: 'Wieder aktivieren',
  metBy: {
    by: 'met',
    one: '{met} Person hat geantwortet: {passed} bestanden, {failed} nicht bestanden{unsureWords}.',
    other: '{met} Personen haben geantwortet: {passed} bestanden, {failed} nicht bestanden{unsureWords}.',
  },
  failedByGood: '{failed} von {good} guten Annotierenden haben sie nicht bestanden (p = {p}), {on}.',
  unsureCount: ', {unsure} unsicher',
  nobodyMet: 'Noch niemand hat geantwortet.',
  quiz: 'Quiz',
  retired: 'Nicht aktiv',
  quarantined: 'Als falsch markiert',
  inUse: 'Aktiv',
  nRetired: '{nRetired} nicht aktiv',
  nQuarantined: '{nQuarantined} als falsch markiert',
  personSupply: '{displayName}: {nMet} gesehen, {nUnmet} übrig, etwa {wanted} nötig.',
  noneHidden:
    'Dieses Projekt braucht {rate} versteckte Testfragen, hat aber keine. Füge Testfragen hinzu, bevor Annotierende weitermachen.',
  runningLow: {
    by: 'n',
    one: 'Es gibt zu wenige versteckte Testfragen. Die nächste {n} Aufgabe braucht etwa {wanted}, aber {there} sind übrig. Füge Testfragen zu den nächsten Bildern oder Suchanfragen hinzu. Oder senke den Anteil von {rate}.',
    other:
      'Es gibt zu wenige versteckte Testfragen. Die nächsten {n} Aufgaben brauchen etwa {wanted}, aber {there} sind übrig. Füge Testfragen zu den nächsten Bildern oder Suchanfragen hinzu. Oder senke den Anteil von {rate}.',
  },
  lowForSome: {
    by: 'n',
    one: 'Für {n} Person gibt es zu wenige versteckte Testfragen. Niemand bekommt denselben Text oder dasselbe Bild zweimal. Füge Testfragen hinzu, oder senke den Anteil von {rate}.',
    other:
      'Für {n} Personen gibt es zu wenige versteckte Testfragen. Niemand bekommt denselben Text oder dasselbe Bild zweimal. Füge Testfragen hinzu, oder senke den Anteil von {rate}.',
  },
  tooFewPeople: {
    by: 'n',
    one: 'Kurze Aufgaben brauchen für versteckte Testfragen mindestens {n} weitere Person. Eine Testfrage ersetzt dort ein Paar, und eine andere Person muss dieses Paar beantworten. Füge Annotierende hinzu, zeige mehr Bildtexte pro Aufgabe, oder erhöhe den Anteil von {rate}.',
    other:
      'Kurze Aufgaben brauchen für versteckte Testfragen mindestens {n} weitere Personen. Eine Testfrage ersetzt dort ein Paar, und eine andere Person muss dieses Paar beantworten. Füge Annotierende hinzu, zeige mehr Bildtexte pro Aufgabe, oder erhöhe den Anteil von {rate}.',
  },
  ungraded:
    'Unklare Paare bekommen in diesem Projekt mehr Antworten. Connote vertraut Annotierenden nach den versteckten Testfragen, die sie bestehen. Ohne Testfragen verlangt es oft doppelt so viele Antworten.',
  nobodyGood:
    'Niemand besteht 8 von 10 versteckten Testfragen. Connote kann deshalb falsche Testfragen nicht finden. Prüfe die Testfragen, die die meisten nicht bestehen.',
  fewGood: {
    by: 'n',
    one: 'Nur {n} von {people} Personen besteht 8 von 10 versteckten Testfragen. Connote kann deshalb falsche Testfragen kaum finden. Prüfe die Testfragen, die die meisten nicht bestehen.',
    other:
      'Nur {n} von {people} Personen bestehen 8 von 10 versteckten Testfragen. Connote kann deshalb falsche Testfragen kaum finden. Prüfe die Testfragen, die die meisten nicht bestehen.',
  },
  controlsExplained:
    'Eine Testfrage ist ein Paar mit bekannter Antwort. Versteckte Testfragen zeigen, welche Annotierenden sorgfältig arbeiten. Quizfragen prüfen neue Annotierende. Beginne mit etwa zehn.',
  noControls: 'Noch keine Testfragen',
  noControlInState: 'Keine Testfrage hat diesen Status.',
  moreControls: 'Weitere Testfragen anzeigen',
  controlsNotListed: 'Die Testfragen konnten nicht geladen werden',
  theControls: 'Testfragen',
  which: 'Status',
  allControls: 'Alle Testfragen',
  line: 'Zeile {line}',
  refusedRows: 'Abgelehnte Zeilen',
  chooseFile: 'Datei auswählen',
  chooseAnother: 'Andere Datei auswählen',
  importControls: 'Testfragen importieren',
  done: 'Fertig',
  judgedAgainst: 'Annotierende vergleichen das Bild mit dieser Suchanfrage.',
  firstListed: 'Die Liste zeigt nur die ersten {queriesShown}. Gib mehr Wörter der Suchanfrage ein.',
  noQueries: 'Das Projekt hat noch keine Suchanfragen. Importiere zuerst Suchanfragen.',
  noQueryHasWords: 'Keine Suchanfrage enthält diese Wörter.',
  query: 'Suchanfrage',
  findQueryHint: 'Gib einige ihrer Wörter ein.',
  findQuery: 'Suchanfrage suchen',
  hiddenInUse: {
    by: 'n',
    one: '{n} versteckte Testfrage aktiv, {rate} aller gezeigten Paare; {quiz}{others}.',
    other: '{n} versteckte Testfragen aktiv, {rate} aller gezeigten Paare; {quiz}{others}.',
  },
  quizItems: { by: 'n', one: '{n} Quizfrage', other: '{n} Quizfragen' },
  importFormat:
    'Nutze eine CSV-, TSV-, JSONL- oder JSON-Datei in UTF-8. Sie braucht die Spalten {image}, {text} (oder {query}) und {accepted}. Die Spalten {explanation} und {quiz} sind freiwillig.',
  controlsAdded: { by: 'n', one: '{n} Testfrage hinzugefügt', other: '{n} Testfragen hinzugefügt' },
  knownN: '{known} schon bekannt',
  rowsRefused: { by: 'n', one: '{n} Zeile abgelehnt', other: '{n} Zeilen abgelehnt' },
}

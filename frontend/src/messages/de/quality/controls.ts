import type { Translation } from '@/lib/language/message'
import type { english } from '../../en/quality/controls'

export const controls: Translation<typeof english> = {
  import: 'Importieren',
  importFromFile: 'Kontrollaufgaben aus einer Datei importieren',
  addControl: 'Eine Kontrollaufgabe hinzufügen',
  shownAfterQuiz: 'Wird nach dem Quiz gezeigt.',
  whySo: 'Warum das so ist',
  askInQuizHint: 'Dann wird offen gefragt, mit Rückmeldung, und nie versteckt.',
  askInQuiz: 'Im Quiz fragen',
  unsureRightHint: 'Für das, was nicht ganz außer Zweifel steht.',
  unsureRightToo: 'Unsicher ist auch richtig',
  whatIsRight: 'Was richtig ist',
  captionHint: 'Eigens dafür geschrieben; er wird nie Teil des Datensatzes.',
  caption: 'Bildtext',
  addIt: 'Hinzufügen',
  controlAdded: 'Die Kontrollaufgabe ist hinzugefügt.',
  bad: 'Schlecht',
  good: 'Gut',
  deleteConsequence:
    'Niemand hat sie gesehen, also geht nichts verloren. Ein Paar, das aus dem Pool kam, wird wieder ein gewöhnliches Paar.',
  deleteIt: 'Löschen',
  deleteQuestion: 'Diese Kontrollaufgabe löschen?',
  delete: 'Löschen',
  deleteText: 'Löschen: {text}',
  putBack: 'Zurücknehmen',
  retire: 'Ausmustern',
  controlInUse: 'Die Kontrollaufgabe ist wieder in Gebrauch.',
  controlRetired:
    'Die Kontrollaufgabe ist ausgemustert: Niemand bekommt sie mehr. Was Menschen damit getan haben, zählt weiter.',
  answerWrong: 'Antwort ist falsch',
  controlQuarantined:
    'Die Kontrollaufgabe zählt für niemanden mehr. Die Regeln sehen in der nächsten Stunde neu nach, oder wenn sie angewendet werden.',
  putBackInUse: 'Wieder in Gebrauch nehmen',
  metBy: {
    by: 'met',
    one: '{met} Mensch hat sie gesehen: {passed} bestanden, {failed} nicht bestanden{unsureWords}.',
    other: '{met} Menschen haben sie gesehen: {passed} bestanden, {failed} nicht bestanden{unsureWords}.',
  },
  failedByGood: '{failed} von {good} guten Annotierenden haben sie nicht bestanden (p = {p}), {on}.',
  unsureCount: ', {unsure} unsicher',
  nobodyMet: 'Noch hat sie niemand gesehen.',
  quiz: 'Quiz',
  retired: 'Ausgemustert',
  quarantined: 'In Quarantäne',
  inUse: 'In Gebrauch',
  nRetired: '{nRetired} ausgemustert',
  nQuarantined: '{nQuarantined} in Quarantäne',
  personSupply: '{displayName} hat {nMet} gesehen und kann noch {nUnmet} bekommen; gebraucht werden etwa {wanted}.',
  noneHidden:
    'Dieses Projekt verlangt {rate} versteckte Kontrollaufgaben und hat keine in Gebrauch: Füg welche hinzu, bevor jemand weitermacht.',
  runningLow: {
    by: 'n',
    one: 'Versteckte Kontrollaufgaben werden knapp: Der nächste {n} HIT braucht etwa {wanted}, und da sind {there}. Füg Kontrollaufgaben zu den Bildern oder Suchanfragen hinzu, die als nächste kommen, oder senke den Anteil von {rate}.',
    other:
      'Versteckte Kontrollaufgaben werden knapp: Die nächsten {n} HITs brauchen etwa {wanted}, und da sind {there}. Füg Kontrollaufgaben zu den Bildern oder Suchanfragen hinzu, die als nächste kommen, oder senke den Anteil von {rate}.',
  },
  lowForSome:
    'Versteckte Kontrollaufgaben werden für {n} der Annotierenden knapp: Für sie bleiben weniger, als die nächsten HITs brauchen, denn niemandem begegnen dieselben Worte oder dasselbe Bild zweimal. Füg Kontrollaufgaben hinzu oder senke den Anteil von {rate}.',
  tooFewPeople:
    'Kurze Seiten bekommen keine versteckten Kontrollaufgaben, solange nicht mehr Menschen mitarbeiten (mindestens {n} mehr): Dort steht eine an der Stelle eines Paars, das dann jemand anderes beurteilen muss. Füg Annotierende hinzu, zeig mehr Bildtexte auf einer Seite oder erhöhe den Anteil von {rate}.',
  ungraded:
    'Die anpassende Überlappung glaubt Menschen nach den versteckten Kontrollaufgaben, die sie bestehen: Wo sie keine sehen, verlangt sie oft doppelt so viele Urteile.',
  nobodyGood:
    'Niemand besteht 8 von 10 der versteckten Kontrollaufgaben; so kann die Prüfung nicht erkennen, welche davon falsch sind. Sieh die an, die die meisten nicht bestehen.',
  fewGood:
    'Nur {n} von {people} Menschen bestehen 8 von 10 der versteckten Kontrollaufgaben; so kann die Prüfung kaum erkennen, welche davon falsch sind. Sieh die an, die die meisten nicht bestehen.',
  controlsExplained:
    'Eine Kontrollaufgabe ist ein Paar, dessen Antwort außer Zweifel steht. Unter den anderen versteckt zeigen Kontrollaufgaben, wer hinsieht; als Quizaufgaben machen sie das Quiz der Neuen aus. Zehn sind ein guter Anfang.',
  noControls: 'Noch keine Kontrollaufgaben',
  noControlInState: 'In diesem Stand ist keine Kontrollaufgabe.',
  moreControls: 'Weitere Kontrollaufgaben zeigen',
  controlsNotListed: 'Die Kontrollaufgaben ließen sich nicht auflisten',
  theControls: 'Kontrollaufgaben',
  which: 'Welche',
  allControls: 'Alle Kontrollaufgaben',
  line: 'Zeile {line}',
  refusedRows: 'Abgewiesene Zeilen',
  chooseFile: 'Datei wählen',
  chooseAnother: 'Andere Datei wählen',
  importControls: 'Kontrollaufgaben importieren',
  done: 'Fertig',
  judgedAgainst: 'Woran das Foto gemessen wird.',
  firstListed: 'Nur die ersten {queriesShown} sind aufgelistet: Gib mehr Wörter ein.',
  noQueries: 'Das Projekt hat noch keine Anfragen: Sie kommen zuerst.',
  noQueryHasWords: 'Keine Anfrage hat diese Wörter.',
  query: 'Anfrage',
  findQueryHint: 'Einige ihrer Wörter.',
  findQuery: 'Anfrage suchen',
  hiddenInUse: {
    by: 'n',
    one: '{n} versteckte Kontrollaufgabe in Gebrauch, {rate} von dem, was gezeigt wird; {quiz}{others}.',
    other: '{n} versteckte Kontrollaufgaben in Gebrauch, {rate} von dem, was gezeigt wird; {quiz}{others}.',
  },
  quizItems: { by: 'n', one: '{n} Quizaufgabe', other: '{n} Quizaufgaben' },
  importFormat:
    'Eine CSV-, TSV-, JSONL- oder JSON-Datei in UTF-8 mit den Spalten {image}, {text} (oder {query}), {accepted} und, wenn du magst, {explanation} und {quiz}.',
  controlsAdded: { by: 'n', one: '{n} Kontrollaufgabe hinzugefügt', other: '{n} Kontrollaufgaben hinzugefügt' },
  knownN: '{known} schon bekannt',
  rowsRefused: { by: 'n', one: '{n} Zeile abgewiesen', other: '{n} Zeilen abgewiesen' },
}

import type { Translation } from '@/lib/language/message'
import type { english } from '../../en/quality/pairs'

export const pairs: Translation<typeof english> = {
  topConfusions: 'Häufigste Unterschiede',
  howConfusions: 'Jede Zeile zählt eine Kombination von zwei Antworten. Der Anteil gilt für alle gemeinsamen Paare.',
  noConfusions: 'Noch sind keine zwei Personen verschiedener Meinung.',
  firstSaid: 'Erste Antwort',
  secondSaid: 'Zweite Antwort',
  ofShared: 'Anteil der gemeinsamen Paare',
  backToAgreement: 'Übereinstimmung aller',
  tableOfAnswers: 'Tabelle der beiden Antworten',
  howPairTable: 'Wähle eine Zelle, um nur ihre Paare zu sehen. Wähle sie noch einmal für alle Paare.',
  figuresOf: 'Zahlen zu {name}',
  noSharedPairs: 'Hier sind keine Paare.',
  moreShared: 'Weitere Paare anzeigen',
  allShared: { by: 'n', one: '{n} gemeinsames Paar', other: '{n} gemeinsame Paare' },
  sharedWith: {
    by: 'n',
    one: '{first}: {firstLabel}, {second}: {secondLabel}: {n} Paar',
    other: '{first}: {firstLabel}, {second}: {secondLabel}: {n} Paare',
  },
  noKappa: 'Kein Kappa: {reason}',
  kappaIs: 'Cohens Kappa {value}, {word}.',
  nShared: { by: 'n', one: '{n} gemeinsames Paar', other: '{n} gemeinsame Paare' },
  decision: 'Entscheidung',
  undecided: 'Keine',
  cellOf: '{rowName} {row}, {columnName} {column}:',
  beyondLargest: 'für so viele Personen nicht berechnet',
}

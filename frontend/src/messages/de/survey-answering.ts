import type { Translation } from '@/lib/language/message'
import type { english } from '../en/survey-answering'

export const surveyAnswering: Translation<typeof english> = {
  theSurvey: 'die Umfrage',
  notNow: 'Du kannst diese Umfrage nicht beantworten',
  finishedAlready: 'Du hast diese Umfrage beendet. Du kannst diese Seite schließen.',
  thankYou: 'Danke',
  allAnswered: 'Die Umfrage hat alle deine Antworten. Du kannst diese Seite schließen.',
  sending: 'Deine letzten Antworten werden gesendet. Lass diese Seite offen.',
  correctLast: 'Letzte Antwort korrigieren',
  runBy: 'Diese Umfrage führt durch: {runBy}.',
  whatComes: {
    by: 'nPairs',
    one: 'Du siehst {nPairs} Bild mit einem Bildtext. Der Bildtext passt oder passt nicht.',
    other: 'Du siehst {nPairs} Bilder, jedes mit einem Bildtext. Ein Bildtext passt oder passt nicht.',
  },
  whatIsKept:
    'Die Umfrage speichert deine Antworten und wie lange sie dauerten. Deinen Namen und deine Internetadresse speichert sie nicht. Mit einem Cookie kannst du später in diesem Browser weitermachen.',
  agree: 'Ich stimme zu, Umfrage starten',
  question: 'Passt dieser Bildtext zum Bild?',
  answered: 'Beantwortete Paare',
  pair: 'Bild und Bildtext',
  place: '{number} von {all}',
  answerGood: 'Antworten, dass der Bildtext passt',
  answerBad: 'Antworten, dass der Bildtext nicht passt',
  goBack: 'Zum vorigen Paar zurückgehen',
  good: 'Gut',
  bad: 'Schlecht',
  back: 'Zurück',
  notSent: {
    by: 'waiting',
    one: '{waiting} Antwort ist noch nicht gesendet. Die Seite versucht es von selbst wieder.',
    other: '{waiting} Antworten sind noch nicht gesendet. Die Seite versucht es von selbst wieder.',
  },
}

import type { Translation } from '@/lib/language/message'
import type { english } from '../en/home'

export const home: Translation<typeof english> = {
  noneYet: 'Es gibt keine Antworten aus diesen Tagen. Mit der ersten Antwort erscheint hier ein Diagramm.',
  waiting: 'Wartet auf dich',
  cases: 'Fälle zur Prüfung',
  replies: 'Antworten auf deine Rückmeldungen',
  atGate: 'Annotierende nach ihren ersten Aufgaben',
  openTasks: 'Offene Zuweisungen',
  releases: 'Veröffentlichungen',
  allAnswers: 'Antworten der letzten zwei Wochen',
  howAllAnswers: 'Antworten aller Annotierenden nach Label, ohne Testfragen. Tage in UTC.',
  images: 'Weitere Bilder',
  imageN: 'Bild {n}',
  ownTasks: 'Offene Aufgaben',
  unreadFeedback: 'Ungelesene Rückmeldungen',
  submittedTasks: 'Abgegebene Aufgaben',
  ownAnswers: 'Deine Antworten der letzten zwei Wochen',
  howOwnAnswers: 'Deine neuesten Antworten nach Tag der Aufgabe (UTC).',
  lastTasks: 'Deine letzten Aufgaben',
  taskSent: 'Abgegeben',
}

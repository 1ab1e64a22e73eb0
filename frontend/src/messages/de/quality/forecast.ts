import type { Translation } from '@/lib/language/message'
import type { english } from '../../en/quality/forecast'

export const forecast: Translation<typeof english> = {
  intervalsAre: 'Die Bereiche sind {level}-Intervalle.',
  secondsPerHit: 'Eine Aufgabe dauert {secondsPerAssignment} Sekunden (Median von {assignmentsTimed}).',
  turnsToCome: {
    by: 'placesOpen',
    one: '{kind}. Mindestens {placesOpen} weitere Zuteilung. Aufgaben noch nicht fertig: etwa {hitsUnfinished}.',
    other: '{kind}. Mindestens {placesOpen} weitere Zuteilungen. Aufgaben noch nicht fertig: etwa {hitsUnfinished}.',
  },
  waitingForSomebodyNew: {
    by: 'hitsWaiting',
    one: '{hitsWaiting} Aufgabe braucht eine weitere Person. Alle, die begonnen haben, haben sie schon bearbeitet.',
    other:
      '{hitsWaiting} Aufgaben brauchen eine weitere Person. Alle, die begonnen haben, haben sie schon bearbeitet.',
  },
  inviteSomebodyNew: 'Neue Person einladen',
  askCurator: 'Bitte einen Kurator, eine neue Person einzuladen. Oder frage eine Person, die noch nicht begonnen hat.',
  adaptiveOverlap: 'Unklare Paare bekommen mehr Antworten',
  fixedOverlap: 'Jedes Paar bekommt gleich viele Antworten',
  setPay: 'Bezahlung festlegen',
  allJudged:
    'Alle Paare in Aufgaben haben genug Antworten. Die Prognose beginnt wieder mit neuen Aufgaben, oder wenn Antworten nicht mehr zählen.',
  nothingLeft: 'Alle Antworten sind vollständig',
  forecastFailed: 'Die Prognose ist fehlgeschlagen',
  theForecast: 'Prognose',
  leftJudgments: 'Offene Antworten',
  leftHits: 'Offene Zuteilungen',
  leftHours: 'Arbeitsstunden',
  leftMoney: 'Kosten, mit Gebühr',
}

import type { Translation } from '@/lib/language/message'
import type { english } from '../../en/quality/forecast'

export const forecast: Translation<typeof english> = {
  intervalsAre: 'Die Intervalle sind {level}.',
  secondsPerHit: 'Ein HIT dauert {secondsPerAssignment} Sekunden, der Median von {assignmentsTimed}.',
  skillOf: 'Annotierende liegen zu {value} richtig ({low} bis {high}), {detail}.',
  workedOutFrom: 'Ausgerechnet aus {hitsDrawn} daraus gezogenen HITs; das Intervall weiß es.',
  turnsToCome: {
    by: 'placesOpen',
    one: '{kind}; {placesOpen} Platz kommt sicher noch, etwa {hitsUnfinished} HITs sind unfertig.',
    other: '{kind}; {placesOpen} Plätze kommen sicher noch, etwa {hitsUnfinished} HITs sind unfertig.',
  },
  waitingForSomebodyNew: {
    by: 'hitsWaiting',
    one: '{hitsWaiting} HIT wartet auf jemand Neues: Er braucht noch ein Urteil, und alle, die hier angefangen haben, hatten ihn schon. Lade noch jemanden ein, oder bitte jemanden, der noch nicht angefangen hat.',
    other:
      '{hitsWaiting} HITs warten auf jemand Neues: Sie brauchen noch Urteile, und alle, die hier angefangen haben, hatten sie schon. Lade noch jemanden ein, oder bitte jemanden, der noch nicht angefangen hat.',
  },
  someWaitForSomebodyNew: {
    by: 'hitsWaiting',
    one: 'Von {hitsDrawn} untersuchten HITs wartet {hitsWaiting} auf jemand Neues: Er braucht noch ein Urteil, und alle, die hier angefangen haben, hatten ihn schon. Lade noch jemanden ein, oder bitte jemanden, der noch nicht angefangen hat.',
    other:
      'Von {hitsDrawn} untersuchten HITs warten {hitsWaiting} auf jemand Neues: Sie brauchen noch Urteile, und alle, die hier angefangen haben, hatten sie schon. Lade noch jemanden ein, oder bitte jemanden, der noch nicht angefangen hat.',
  },
  adaptiveOverlap: 'Die Überlappung passt sich an',
  fixedOverlap: 'Jedes Paar bekommt gleich viele Urteile',
  setPay: 'Bezahlung festlegen',
  allJudged:
    'Jedes Paar, das in einem HIT steht, hat die Urteile, die es braucht. Wenn HITs gebaut werden oder Urteile nicht mehr zählen, beginnt die Vorausschau neu.',
  nothingLeft: 'Nichts ist mehr zu beurteilen',
  forecastFailed: 'Die Vorausschau ist gescheitert',
  theForecast: 'Vorausschau',
  leftJudgments: 'Urteile',
  leftHits: 'HITs auszugeben',
  leftHours: 'Stunden Zeit von Menschen',
  leftMoney: 'Geld, Aufschlag inbegriffen',
}

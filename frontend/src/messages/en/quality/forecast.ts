export const english = {
  intervalsAre: 'Intervals are {level}.',
  secondsPerHit: 'A HIT takes {secondsPerAssignment} seconds, the median of {assignmentsTimed}.',
  skillOf: 'Annotators are right {value} of the time ({low} to {high}), {detail}.',
  workedOutFrom: 'Worked out from {hitsDrawn} HITs drawn from these; the interval knows.',
  turnsToCome: {
    by: 'placesOpen',
    one: '{kind}; {placesOpen} turn sure to come, about {hitsUnfinished} HITs unfinished.',
    other: '{kind}; {placesOpen} turns sure to come, about {hitsUnfinished} HITs unfinished.',
  },
  waitingForSomebodyNew: {
    by: 'hitsWaiting',
    one: '{hitsWaiting} HIT waits for somebody new: it wants one more judgment, and everybody who has begun here has had it. Invite another annotator, or ask one who has not begun.',
    other:
      '{hitsWaiting} HITs wait for somebody new: they want more judgments, and everybody who has begun here has had them. Invite another annotator, or ask one who has not begun.',
  },
  someWaitForSomebodyNew: {
    by: 'hitsWaiting',
    one: '{hitsWaiting} of the {hitsDrawn} HITs looked into waits for somebody new: it wants one more judgment, and everybody who has begun here has had it. Invite another annotator, or ask one who has not begun.',
    other:
      '{hitsWaiting} of the {hitsDrawn} HITs looked into wait for somebody new: they want more judgments, and everybody who has begun here has had them. Invite another annotator, or ask one who has not begun.',
  },
  adaptiveOverlap: 'Overlap is adaptive',
  fixedOverlap: 'Every pair gets the same number of judgments',
  setPay: 'Set the pay',
  allJudged:
    'Every pair that stands in a HIT has the judgments it needs. When HITs are built or judgments stop to count, the forecast begins anew.',
  nothingLeft: 'Nothing is left to judge',
  forecastFailed: 'The forecast failed',
  theForecast: 'the forecast',
  leftJudgments: 'judgments',
  leftHits: 'HITs to hand out',
  leftHours: 'hours of people’s time',
  leftMoney: 'money, fee included',
} as const

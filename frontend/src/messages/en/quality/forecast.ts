export const english = {
  intervalsAre: 'The ranges are {level} intervals.',
  secondsPerHit: 'One task takes {secondsPerAssignment} seconds (median of {assignmentsTimed}).',
  turnsToCome: {
    by: 'placesOpen',
    one: '{kind}. At least {placesOpen} more assignment. Unfinished tasks: about {hitsUnfinished}.',
    other: '{kind}. At least {placesOpen} more assignments. Unfinished tasks: about {hitsUnfinished}.',
  },
  waitingForSomebodyNew: {
    by: 'hitsWaiting',
    one: '{hitsWaiting} task needs another annotator. Everyone who has started has already worked on it.',
    other:
      '{hitsWaiting} tasks need another annotator. Everyone who has started has already worked on them.',
  },
  inviteSomebodyNew: 'Invite a new annotator',
  askCurator: 'Ask a curator to invite a new annotator. Or ask an annotator who has not started.',
  adaptiveOverlap: 'Unclear pairs get more answers',
  fixedOverlap: 'Every pair gets the same number of answers',
  setPay: 'Set the pay',
  allJudged:
    'All pairs in tasks have enough answers. The forecast starts again with new tasks, or when answers no longer count.',
  nothingLeft: 'All answers are complete',
  forecastFailed: 'The forecast failed',
  theForecast: 'the forecast',
  leftJudgments: 'Answers left',
  leftHits: 'Assignments left',
  leftHours: 'Hours of work',
  leftMoney: 'Cost, including the fee',
} as const

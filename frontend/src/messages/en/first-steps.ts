export const english = {
  byKeys: 'Answer with {keys}. Take an answer back with {undo}. See all keys with {help}.',
  byTouch: 'Tap an answer. The next caption follows, and you can change your answers until you submit.',
  gotIt: 'Got it',
} as const

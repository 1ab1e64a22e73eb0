export const english = {
  byKeys: 'Answer with {keys}. Take an answer back with {undo}. See all keys with {help}.',
  byTouch: 'Tap an answer. You can change it until you submit.',
  gotIt: 'Got it',
} as const

export const english = {
  answer: 'Answer',
  details: 'Add details',
  move: 'Move',
  look: 'Look at the image',
} as const

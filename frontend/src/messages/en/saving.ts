export const english = {
  discard: 'Discard changes',
  seeFields: 'Not saved. Correct the marked fields.',
} as const

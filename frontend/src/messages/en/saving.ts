export const english = {
  discard: 'Discard changes',
} as const

export const english = {
  takes: { by: 'minutes', one: 'About {minutes} minute', other: 'About {minutes} minutes' },
  drawing: 'A drawing of a beach with a red lighthouse and a yellow sailing boat.',
  fits: 'A yellow boat sails past a lighthouse.',
  fitsWhy: 'This fits the image.',
  fitsNot: 'Two brown dogs play in the snow.',
  fitsNotWhy: 'The image shows no dogs and no snow.',
} as const

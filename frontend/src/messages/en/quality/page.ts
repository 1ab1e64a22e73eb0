/** What the quality page says around its tabs, and on more than one of them. */
export const english = {
  quality: 'Quality',
  qualityLead: 'What judgments agree on, whom they are from, and by what rules they count.',
  refresh: 'Refresh',
  refreshFigures: 'Refresh the figures',
  agreement: 'Agreement',
  annotators: 'Annotators',
  policy: 'Policy',
  controls: 'Controls',
  forecast: 'Forecast',
  annotator: 'Annotator',
  why: 'Why',
  byHand: 'By hand',
  lowToHigh: '{low} to {high}',
} as const

/** What the quality page says around its tabs, and on more than one of them. */
export const english = {
  quality: 'Quality',
  qualityLead: 'Agreement, annotators and quality rules.',
  refresh: 'Refresh',
  refreshFigures: 'Refresh the figures',
  agreement: 'Agreement',
  annotators: 'Annotators',
  policy: 'Quality rules',
  controls: 'Test questions',
  forecast: 'Forecast',
  annotator: 'Annotator',
  why: 'Why',
  byHand: 'By hand',
  lowToHigh: '{low} to {high}',
} as const

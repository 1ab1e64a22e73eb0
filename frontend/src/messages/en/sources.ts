/** Where captions come from. */
export const english = {
  others: 'Other photographs',
  web: 'Web titles',
  corpus: 'Corpus',
  people: 'People',
  queries: 'Queries',
} as const

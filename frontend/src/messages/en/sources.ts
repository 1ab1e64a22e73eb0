/** Where captions come from. */
export const english = {
  others: 'Other images',
  web: 'Web titles',
  corpus: 'Corpus',
  people: 'People',
  queries: 'Queries',
} as const

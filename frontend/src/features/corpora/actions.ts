import type { ActionSpec } from '@/lib/actions/action'

/** What there is to do on the page of the corpora. */
export const corporaActions = [
  { id: 'corpora.register', name: 'Register a corpus', label: 'Register a corpus', keys: ['r'], scope: 'corpora' },
  { id: 'corpora.embed', name: 'Start Embed corpus', label: 'Embed', keys: ['e'], scope: 'corpora' },
  { id: 'corpora.retrieve', name: 'Start Retrieve', label: 'Retrieve', keys: ['t'], scope: 'corpora' },
  { id: 'corpora.leakage', name: 'Go through the suspects', label: 'Leakage', keys: ['l'], scope: 'corpora' },
] as const satisfies readonly ActionSpec[]

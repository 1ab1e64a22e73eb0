import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/corpora'

/** What there is to do on the page of the corpora. */
export const corporaActions = [
  { id: 'corpora.register', name: t.registerCorpus, label: t.registerCorpus, keys: ['r'], scope: 'corpora' },
  { id: 'corpora.embed', name: t.startEmbed, label: t.embed, keys: ['e'], scope: 'corpora' },
  { id: 'corpora.retrieve', name: t.startRetrieve, label: t.retrieve, keys: ['t'], scope: 'corpora' },
  { id: 'corpora.leakage', name: t.goThroughSuspects, label: t.leakage, keys: ['l'], scope: 'corpora' },
] as const satisfies readonly ActionSpec[]

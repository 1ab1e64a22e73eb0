import type { ActionSpec } from '@/lib/actions/action'
import { t } from '@/messages/releases'

/** The verbs of a release's page. */
export const releaseActions = [
  { id: 'release.list', name: t.backToReleases, label: t.releases, keys: ['Escape'], scope: 'release' },
] as const satisfies readonly ActionSpec[]

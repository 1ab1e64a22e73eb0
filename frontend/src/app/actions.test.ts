import { expect, test } from 'vitest'
import { annotateActions, nothingActions } from '@/features/annotate/actions'
import { outboxActions } from '@/features/annotate/outbox-actions'
import {
  funnelActions,
  funnelPageActions,
  leakageActions,
  leakageRowActions,
  poolActions,
  poolRowActions,
} from '@/features/candidates/actions'
import { galleryActions, imageActions } from '@/features/catalogue/actions'
import { corporaActions } from '@/features/corpora/actions'
import { exploreActions } from '@/features/explore/actions'
import { feedbackActions, inboxActions } from '@/features/inbox/actions'
import { pastWorkActions } from '@/features/past-work/actions'
import { polysemyActions } from '@/features/polysemy/actions'
import { projectListActions } from '@/features/projects/actions'
import { qualifyActions } from '@/features/qualification/actions'
import { controlActions, policyActions, qualityActions } from '@/features/quality/actions'
import { releaseActions } from '@/features/releases/actions'
import { runActions, walkActions } from '@/features/runs/actions'
import { type ActionSpec, assertNoSharedKeys } from '@/lib/actions/action'
import { shellActions } from './shell/shell-actions'

/** Every list of actions in the front end; add yours here. */
const everyAction: readonly ActionSpec[] = [
  ...shellActions,
  ...annotateActions,
  ...nothingActions,
  ...outboxActions,
  ...feedbackActions,
  ...inboxActions,
  ...pastWorkActions,
  ...qualifyActions,
  ...qualityActions,
  ...policyActions,
  ...controlActions,
  ...projectListActions,
  ...galleryActions,
  ...imageActions,
  ...poolActions,
  ...poolRowActions,
  ...funnelActions,
  ...funnelPageActions,
  ...leakageActions,
  ...leakageRowActions,
  ...corporaActions,
  ...exploreActions,
  ...polysemyActions,
  ...walkActions,
  ...runActions,
  ...releaseActions,
]

test('no key has two owners on any page', () => {
  expect(() => assertNoSharedKeys(everyAction)).not.toThrow()
})

test('every action has a name of its own', () => {
  const ids = everyAction.map((action) => action.id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('an action says in its name what it does, beginning with a verb', () => {
  for (const action of everyAction) expect(action.name).toMatch(/^[A-Z][a-z]+ \S/)
})

import { annotateActions, guidelinesActions, nothingActions } from '@/features/annotate/actions'
import { holdActions } from '@/features/annotate/hold-actions'
import { outboxActions } from '@/features/annotate/outbox-actions'
import { previewActions } from '@/features/annotate/preview-actions'
import {
  funnelActions,
  funnelPageActions,
  leakageActions,
  leakageRowActions,
  poolActions,
  poolRowActions,
} from '@/features/candidates/actions'
import { mapActions } from '@/features/caption-map/actions'
import { galleryActions, imageActions } from '@/features/catalogue/actions'
import { corporaActions } from '@/features/corpora/actions'
import { exploreActions, exploreToolActions } from '@/features/explore/actions'
import { judgedPageActions, remarkActions } from '@/features/feedback/actions'
import { inboxActions } from '@/features/inbox/actions'
import { pastListActions, pastWorkActions } from '@/features/past-work/actions'
import { polysemyActions } from '@/features/polysemy/actions'
import { projectListActions } from '@/features/projects/actions'
import { qualifyActions, readActions } from '@/features/qualification/actions'
import { agreementActions, controlActions, policyActions, qualityActions } from '@/features/quality/actions'
import { releaseActions } from '@/features/releases/actions'
import { caseActions, queueActions } from '@/features/review/actions'
import { runActions, walkActions } from '@/features/runs/actions'
import type { ActionSpec, PageOfActions } from '@/lib/actions/action'
import { t } from '@/messages/shell'
import { feedbackActions } from './routes/feedback-actions'
import { railActions } from './shell/rail-actions'
import { shellActions } from './shell/shell-actions'

/** Every verb of the front end under the name of its page; add your list here. */
export const pagesOfActions: readonly PageOfActions[] = [
  { page: t.everywhere, actions: [...shellActions, ...railActions] },
  {
    page: t.annotate,
    actions: [
      ...annotateActions,
      ...guidelinesActions,
      ...previewActions,
      ...nothingActions,
      ...outboxActions,
      ...holdActions,
    ],
  },
  { page: t.beforeFirst, actions: [...readActions, ...qualifyActions] },
  { page: t.inbox, actions: [...inboxActions, ...feedbackActions] },
  { page: t.pastWork, actions: [...pastWorkActions, ...pastListActions] },
  { page: t.projects, actions: projectListActions },
  { page: t.walk, actions: [...walkActions, ...runActions] },
  { page: t.gallery, actions: [...galleryActions, ...imageActions, ...poolActions, ...poolRowActions] },
  { page: t.explore, actions: [...exploreActions, ...exploreToolActions] },
  { page: t.corpora, actions: corporaActions },
  { page: t.leakage, actions: [...leakageActions, ...leakageRowActions] },
  { page: t.polysemy, actions: polysemyActions },
  { page: t.cleaning, actions: [...funnelActions, ...funnelPageActions] },
  { page: t.review, actions: [...caseActions, ...queueActions] },
  {
    page: t.quality,
    actions: [
      ...qualityActions,
      ...agreementActions,
      ...policyActions,
      ...controlActions,
      ...judgedPageActions,
      ...remarkActions,
    ],
  },
  { page: t.map, actions: mapActions },
  { page: t.releases, actions: releaseActions },
]

export const everyAction: readonly ActionSpec[] = pagesOfActions.flatMap((page) => page.actions)

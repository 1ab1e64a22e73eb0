import type { IconName } from '@/components/ui/icon'
import type { NextAssignment } from '@/lib/api/contract'
import type { Reason } from '@/lib/judging/annotation-words'
import { t } from '@/messages/annotate'

interface Words {
  title: string
  icon: IconName
  words: string
  /** Whether the project's rules have something to say about this person. */
  isAboutPerson?: boolean
  /** Whether it passes by itself, so that the page looks again every minute. */
  looksAgain?: boolean
}

const reasonWords: Record<Reason, Words> = {
  none_left: {
    title: t.noneWaits,
    icon: 'check',
    words: t.noneWaitsWords,
  },
  all_yours_done: {
    title: t.allYoursDone,
    icon: 'check',
    words: t.allYoursDoneWords,
  },
  cap_reached: {
    title: t.capReached,
    icon: 'check',
    words: t.capReachedWords,
  },
  not_qualified: {
    title: t.notQualified,
    icon: 'book',
    words: t.notQualifiedWords,
  },
  paused: {
    title: t.paused,
    icon: 'alert',
    words: t.pausedWords,
    isAboutPerson: true,
  },
  excluded: {
    title: t.ended,
    icon: 'alert',
    words: t.endedWords,
    isAboutPerson: true,
  },
  waiting_for_review: {
    title: t.waitingForReview,
    icon: 'check',
    words: t.waitingForReviewWords,
    looksAgain: true,
  },
  holds_enough: {
    title: t.holdsEnough,
    icon: 'image',
    words: t.holdsEnoughWords,
  },
}

export const wordsOf = (reason: NextAssignment['reason']): Words => reasonWords[reason ?? 'none_left']

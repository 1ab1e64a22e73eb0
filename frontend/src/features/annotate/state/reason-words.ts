import type { IconName } from '@/components/ui/icon'
import type { NextAssignment } from '@/lib/api/contract'
import type { Reason } from '@/lib/judging/annotation-words'

interface Words {
  title: string
  icon: IconName
  words: string
  /** Whether the project's rules have something to say about this person. */
  isAboutPerson?: boolean
}

const reasonWords: Record<Reason, Words> = {
  none_left: {
    title: 'No photograph waits for you',
    icon: 'check',
    words: 'Every photograph has the judgments it needs or is with somebody else now. Look again later.',
  },
  all_yours_done: {
    title: 'You have judged every photograph here',
    icon: 'check',
    words: 'New photographs appear here when the curator adds them. Thank you for the work.',
  },
  cap_reached: {
    title: 'You have done your share here',
    icon: 'check',
    words:
      'This project lets each person judge so many and no more, so that many people are heard. Thank you for the work. The curator can raise the limit.',
  },
  not_qualified: {
    title: 'There is something to do before the first photograph',
    icon: 'book',
    words: 'This project asks everybody to prepare first. It takes a few minutes and is done once.',
  },
  paused: {
    title: 'Your work here is paused',
    icon: 'alert',
    words: 'What you judged counts. Talk to the head annotator, who can let you go on.',
    isAboutPerson: true,
  },
  excluded: {
    title: 'Your work here has ended',
    icon: 'alert',
    words: 'You get no more photographs of this project. If you think this is a mistake, talk to the head annotator.',
    isAboutPerson: true,
  },
  holds_enough: {
    title: 'You have two photographs open already',
    icon: 'image',
    words: 'They are probably open in another tab or on another device. Go on there, or look again in a while.',
  },
}

export const wordsOf = (reason: NextAssignment['reason']): Words => reasonWords[reason ?? 'none_left']

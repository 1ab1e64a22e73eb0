import type { NextPage } from '@/components/ui/list-foot'
import { useActions } from '@/lib/actions/action-context'
import type { Suspect } from '@/lib/api/served'
import { t } from '@/messages/candidates'
import { leakageRowActions } from '../actions'
import type { Verdict } from '../state/suspect-words'
import { KeyedList, useKeyedList } from './keyed-list'
import styles from './leakage-page.module.css'
import { SuspectRow } from './suspect-row'

export interface SuspectListProps {
  slug: string
  suspects: readonly Suspect[]
  /** Shows what differs between the two images in place of the corpus image. */
  isDifference: boolean
  next: NextPage
  onMore: () => void
  onDecide: (suspect: Suspect, decision: Verdict) => void
}

const guessedHeight = 260

/** Suspects one under another; a decision by key goes on to the next. */
export function SuspectList({ slug, suspects, isDifference, next, onMore, onDecide }: SuspectListProps) {
  const keyed = useKeyedList(suspects, guessedHeight)
  const { active, current, move, goTo } = keyed
  const byKey = (decision: Verdict) => ({
    when: () => current !== undefined && current.decision !== decision,
    perform: () => {
      if (!current) return
      onDecide(current, decision)
      goTo(active + 1)
    },
  })
  useActions(leakageRowActions, {
    'leakage.next': () => move(1),
    'leakage.previous': () => move(-1),
    'leakage.keepOut': byKey('kept_out'),
    'leakage.allow': byKey('allowed'),
  })
  return (
    <KeyedList
      keyed={keyed}
      label={t.suspects}
      rowClass={styles.row}
      renderRow={(suspect, isActive) => (
        <SuspectRow
          slug={slug}
          suspect={suspect}
          isDifference={isDifference}
          isActive={isActive}
          onDecide={onDecide}
        />
      )}
      next={next}
      onMore={onMore}
    />
  )
}

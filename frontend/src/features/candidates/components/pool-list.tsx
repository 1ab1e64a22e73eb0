import type { NextPage } from '@/components/ui/list-foot'
import { useActions } from '@/lib/actions/action-context'
import type { Candidate } from '@/lib/api/served'
import { t } from '@/messages/candidates'
import { poolRowActions } from '../actions'
import { CandidateRow } from './candidate-row'
import styles from './candidate-row.module.css'
import { KeyedList, useKeyedList } from './keyed-list'

export interface PoolListProps {
  slug: string
  imageId: number
  candidates: readonly Candidate[]
  next: NextPage
  onMore: () => void
  onRestore: (candidate: Candidate) => void
  onDrop: (candidate: Candidate) => void
}

const guessedHeight = 124

/** Captions of a pool one under another. */
export function PoolList(props: PoolListProps) {
  const { slug, imageId, candidates, next, onMore, onRestore, onDrop } = props
  const keyed = useKeyedList(candidates, guessedHeight)
  const { current, move } = keyed
  useActions(poolRowActions, {
    'pool.next': () => move(1),
    'pool.previous': () => move(-1),
    'pool.restore': { when: () => current?.status === 'dropped', perform: () => current && onRestore(current) },
    'pool.drop': { when: () => current?.status === 'kept', perform: () => current && onDrop(current) },
  })
  return (
    <KeyedList
      keyed={keyed}
      label={t.captions}
      rowClass={styles.row}
      renderRow={(candidate, isActive) => (
        <CandidateRow
          slug={slug}
          imageId={imageId}
          candidate={candidate}
          isActive={isActive}
          onRestore={onRestore}
          onDrop={onDrop}
        />
      )}
      next={next}
      onMore={onMore}
    />
  )
}

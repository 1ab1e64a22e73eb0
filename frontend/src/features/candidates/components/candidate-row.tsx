import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Disclosure } from '@/components/ui/disclosure'
import type { Candidate } from '@/lib/api/served'
import { t } from '@/messages/candidates'
import { printable, shortened } from '../state/printable'
import { Fate, Flags, LastWord, Origin } from './candidate-facts'
import styles from './candidate-row.module.css'
import { CaptionText } from './caption-text'
import { GenericFacts, GenericFlag } from './generic-facts'
import { NeighbourPicture } from './neighbour-picture'
import { RowButton } from './row-button'
import { SuggestionList } from './suggestion-list'
import { WordChanges } from './word-changes'

export interface CandidateRowProps {
  slug: string
  imageId: number
  candidate: Candidate
  /** The row that the keys act on: its buttons show theirs. */
  isActive: boolean
  onRestore: (candidate: Candidate) => void
  onDrop: (candidate: Candidate) => void
}

/** One caption of a pool: its words, its status and the reason, its source, and the way to decide otherwise. */
export function CandidateRow({ slug, imageId, candidate, isActive, onRestore, onDrop }: CandidateRowProps) {
  const [isSuggesting, setSuggesting] = useState(false)
  const isRepaired = candidate.status === 'kept' && candidate.text !== candidate.raw_text
  return (
    <>
      <NeighbourPicture slug={slug} candidate={candidate} />
      <div className={styles.words}>
        <CaptionText
          text={candidate.text || candidate.raw_text}
          suggestions={candidate.suggestions}
          onSuggestion={() => setSuggesting(!isSuggesting)}
        />
        <p className={styles.about}>
          <Fate candidate={candidate} />
          <Flags flags={candidate.flags} />
          <GenericFlag generic={candidate.generic} />
        </p>
        {candidate.repeats && <Repeated slug={slug} imageId={imageId} text={candidate.repeats.text} />}
        <p className={styles.about}>
          <Origin candidate={candidate} />
          <GenericFacts generic={candidate.generic} />
        </p>
        <LastWord decision={candidate.decision} />
        <SuggestionList suggestions={candidate.suggestions} isOpen={isSuggesting} onToggle={setSuggesting} />
        {isRepaired && (
          <Disclosure tone="accent" summary={t.repairedWhat}>
            <WordChanges before={candidate.raw_text} after={candidate.text} />
          </Disclosure>
        )}
      </div>
      <DecideButton candidate={candidate} isActive={isActive} onRestore={onRestore} onDrop={onDrop} />
    </>
  )
}

const mostSearched = 60

/** The kept caption that this one repeats, and the way to see both together. */
function Repeated({ slug, imageId, text }: { slug: string; imageId: number; text: string }) {
  return (
    <p className={styles.about}>
      <Link
        to="/projects/$slug/images/$imageId/captions"
        params={{ slug, imageId: String(imageId) }}
        search={{ text: text.slice(0, mostSearched) }}
        className={styles.repeated}
      >
        <bdi>{printable(shortened(text))}</bdi>
      </Link>
    </p>
  )
}

interface DecideButtonProps extends Pick<CandidateRowProps, 'candidate' | 'isActive' | 'onRestore' | 'onDrop'> {
  /** The page's own actions: their words and keys stand on the button. */
  scope?: 'pool' | 'funnel'
}

export function DecideButton({ candidate, isActive, onRestore, onDrop, scope = 'pool' }: DecideButtonProps) {
  if (candidate.status === 'new') return <span />
  const isKept = candidate.status === 'kept'
  return (
    <RowButton
      action={`${scope}.${isKept ? 'drop' : 'restore'}`}
      isActive={isActive}
      variant="quiet"
      icon={isKept ? 'cross' : 'undo'}
      className={styles.decide ?? ''}
      onPress={() => (isKept ? onDrop(candidate) : onRestore(candidate))}
    />
  )
}

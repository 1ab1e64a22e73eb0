import { cx } from '@/components/ui/cx'
import { useLabelLooks } from '@/components/ui/label-looks'
import { votesInWords } from '@/components/ui/label-words'
import { t } from '@/messages/review'
import type { Votes } from '../api/shapes'
import { countVotes, labels } from '../state/votes'
import styles from './figures.module.css'

/** How the answers divide: good, bad, unsure side by side, with their numbers where there is room. */
export function VoteBar({ votes, hasNumbers = false }: { votes: Votes; hasNumbers?: boolean }) {
  const n = countVotes(votes)
  const looks = useLabelLooks()
  const words = n === 0 ? t.noVotes : votesInWords(votes, looks)
  return (
    <span className={cx(styles.votes, hasNumbers && styles.numbered)} role="img" aria-label={words} title={words}>
      {labels
        .filter((label) => votes[label] > 0)
        .map((label) => (
          <span key={label} className={cx(styles.vote, styles[label])} style={{ flexGrow: votes[label] }}>
            {hasNumbers && votes[label]}
          </span>
        ))}
    </span>
  )
}

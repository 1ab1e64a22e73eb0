import { labels, totalOf } from '@/components/answer-days/answer-days'
import type { Overview } from '@/lib/api/served'
import { formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/overview'
import type { Words } from '../state/labels'
import styles from './overview-page.module.css'

/** The share of each label, by sign, letter and colour: the legend of the drawing below. */
export function LabelSplit({ counts, words }: { counts: Overview['labels']; words: Words }) {
  const total = totalOf(counts)
  if (total === 0) return null
  return (
    <p className={styles.lead}>
      {labels.map((label) => (
        <span key={label} className={`${styles.label ?? ''} ${styles[label] ?? ''}`}>
          {t.labelShare({
            sign: words.signs[label],
            label: words.labels[label],
            share: formatShare(counts[label] / total),
          })}
        </span>
      ))}
    </p>
  )
}

import type { Overview } from '@/lib/api/served'
import { formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/overview'
import { labels, totalOf } from '../state/words'
import styles from './overview-page.module.css'

export const labelNames = { good: t.good, bad: t.bad, unsure: t.unsure } as const
const signs = { good: t.goodSign, bad: t.badSign, unsure: t.unsureSign } as const

/** The share of each label, by sign, letter and colour: the legend of the drawing below. */
export function LabelSplit({ counts }: { counts: Overview['labels'] }) {
  const total = totalOf(counts)
  if (total === 0) return null
  return (
    <p className={styles.lead}>
      {labels.map((label) => (
        <span key={label} className={`${styles.label ?? ''} ${styles[label] ?? ''}`}>
          {t.labelShare({ sign: signs[label], label: labelNames[label], share: formatShare(counts[label] / total) })}
        </span>
      ))}
    </p>
  )
}

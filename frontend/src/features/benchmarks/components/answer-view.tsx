import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { cx } from '@/components/ui/cx'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/benchmarks'
import type { Answer, Item } from '../api/shapes'
import styles from './benchmarks.module.css'

/** The image or the text that the model was asked about. */
export function QueryView({ query }: { query: Item }) {
  return query.kind === 'text' ? (
    <p className={styles.query} dir="auto">
      {query.text ?? query.id}
    </p>
  ) : (
    <Shown item={query} className={styles.image} />
  )
}

function Shown({ item, className }: { item: Item; className: string | undefined }) {
  // A caption comes with the address of its image, too.
  if (item.kind === 'image' && item.image_url) {
    return (
      <img className={className} src={item.image_url} alt={t.imageOf({ id: item.id })} loading="lazy" decoding="async" />
    )
  }
  if (item.text !== null) {
    return (
      <p className={styles.text} dir="auto">
        {item.text}
      </p>
    )
  }
  return <p className={styles.note}>{item.is_withdrawn ? t.imageWithdrawn : t.imageGone}</p>
}

const few = 5

/** The right items of a query, each with its rank; of many only the first. */
export function RightItems({ right, answer: { ranks, ties } }: { right: readonly Item[]; answer: Answer }) {
  const [isWhole, setWhole] = useState(false)
  const ranked = right
    .map((item, place) => ({ item, rank: ranks[place] ?? null }))
    .toSorted((a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity))
  const shown = isWhole ? ranked : ranked.slice(0, few)
  return (
    <div className={styles.part}>
      <p className={styles.partTitle}>{t.right}</p>
      <ul className={styles.answers}>
        {shown.map(({ item, rank }) => (
          <li key={item.id}>
            <Shown item={item} className={styles.thumb} />
            <p className={cx(styles.rank, rank === 1 && styles.isFirst)}>
              {rank === null ? t.notRanked : t.rankOf({ rank: formatCount(rank) })}
            </p>
          </li>
        ))}
      </ul>
      {shown.length < ranked.length && (
        <div>
          <Button size="small" onPress={() => setWhole(true)}>
            {t.moreRight({ n: ranked.length - shown.length })}
          </Button>
        </div>
      )}
      {ties && <p className={styles.note}>{t.hasTies}</p>}
    </div>
  )
}

/** What the model put before everything else: the best wrong item, where no right one has rank 1. */
export function FirstItem({ answer: { ranks, best_wrong: wrong } }: { answer: Answer }) {
  const isRight = ranks.includes(1)
  if (!isRight && !wrong) return null
  return (
    <div className={styles.part}>
      <p className={styles.partTitle}>{t.first}</p>
      {isRight || !wrong ? (
        <p className={styles.isFirst}>{t.firstIsRight}</p>
      ) : (
        <Shown item={wrong} className={styles.thumb} />
      )}
    </div>
  )
}

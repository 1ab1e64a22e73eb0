import { cx } from '@/components/ui/cx'
import type { CorpusEmbedding } from '@/lib/api/served'
import { t } from '@/messages/corpora'
import { shardsOf, shardWords } from '../state/embedding-looks'
import styles from './corpora-page.module.css'

const parts = ['done', 'working', 'refused', 'pending'] as const

/** How the shards of a corpus stand, each state as wide as its share; the words beneath say the same. */
export function ShardBar({ embedding }: { embedding: CorpusEmbedding }) {
  return (
    <div className={styles.shards}>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label={t.shardsThrough({ model: embedding.model })}
        aria-valuemin={0}
        aria-valuemax={shardsOf(embedding)}
        aria-valuenow={embedding.done + embedding.refused}
        aria-valuetext={shardWords(embedding)}
      >
        {parts.map(
          (state) =>
            embedding[state] > 0 && (
              <span key={state} className={cx(styles.part, styles[state])} style={{ flexGrow: embedding[state] }} />
            ),
        )}
      </div>
      <p className={styles.quiet}>{shardWords(embedding)}.</p>
    </div>
  )
}

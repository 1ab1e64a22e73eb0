import { Link } from '@tanstack/react-router'
import { Badge } from '@/components/ui/badge'
import { Digest } from '@/components/ui/digest'
import { Disclosure } from '@/components/ui/disclosure'
import { RelativeTime } from '@/components/ui/relative-time'
import type { Corpus, CorpusEmbedding } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { Sentence } from '@/lib/language/sentence'
import { t } from '@/messages/corpora'
import { isLive, lookOf, reasonWords } from '../state/embedding-looks'
import styles from './corpora-page.module.css'
import { ShardBar } from './shard-bar'
import { ShardTable } from './shard-table'

export interface EmbeddingViewProps {
  slug: string
  corpus: Corpus
  embedding: CorpusEmbedding
}

/** How far one model is through a corpus: shards, pictures, what was left out and why, what was refused. */
export function EmbeddingView({ slug, corpus, embedding }: EmbeddingViewProps) {
  const { tone, icon, word } = lookOf(embedding)
  return (
    <section className={styles.embedding} aria-label={t.embeddedBy({ name: corpus.name, model: embedding.model })}>
      <header className={styles.embeddingHead}>
        <h3 className={styles.model}>{embedding.model}</h3>
        <Badge tone={tone} icon={icon}>
          {word}
        </Badge>
        <Digest value={embedding.model_digest} what={t.digestOfModel({ model: embedding.model })} />
        <RunLink slug={slug} embedding={embedding} />
      </header>
      <ShardBar embedding={embedding} />
      <Counts embedding={embedding} />
      {embedding.error && embedding.refused === 0 && <p className={styles.failure}>{embedding.error}</p>}
      {embedding.refused > 0 && (
        <div className={styles.refusedShards}>
          <h4 className={styles.subtitle}>{t.refusedShards({ refused: embedding.refused })}</h4>
          <ShardTable corpusId={corpus.id} embedding={embedding} state="refused" />
        </div>
      )}
      <Disclosure tone="accent" summary={t.shardByShard}>
        <ShardTable corpusId={corpus.id} embedding={embedding} />
      </Disclosure>
    </section>
  )
}

function RunLink({ slug, embedding }: { slug: string; embedding: CorpusEmbedding }) {
  return (
    <Link to="/projects/$slug/walk/runs/$runId" params={{ slug, runId: embedding.run }} className={styles.run}>
      {embedding.finished_at && !isLive(embedding) ? (
        <Sentence of={t.runWhen} parts={{ when: <RelativeTime at={embedding.finished_at} /> }} />
      ) : (
        t.watchRun
      )}
    </Link>
  )
}

/** Pictures with a vector, and what was left out by its reason, the commonest first. */
function Counts({ embedding: { n_done, n_skipped, dropped } }: { embedding: CorpusEmbedding }) {
  const reasons = Object.entries(dropped).sort(([, a], [, b]) => b - a)
  return (
    <p>
      {t.haveVectors({ n: n_done })}
      {n_skipped > 0 && `, ${t.nLeftOut({ n: n_skipped })}`}
      {reasons.length > 0 && `: ${reasons.map(([code, n]) => `${formatCount(n)} ${reasonWords(code)}`).join(', ')}`}.
    </p>
  )
}

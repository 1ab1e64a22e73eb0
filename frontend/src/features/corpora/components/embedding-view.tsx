import { Link } from '@tanstack/react-router'
import { Badge } from '@/components/ui/badge'
import { Digest } from '@/components/ui/digest'
import { Disclosure } from '@/components/ui/disclosure'
import { RelativeTime } from '@/components/ui/relative-time'
import type { Corpus, CorpusEmbedding } from '@/lib/api/served'
import { formatCount, plural } from '@/lib/format/numbers'
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
    <section className={styles.embedding} aria-label={`${corpus.name} embedded by ${embedding.model}`}>
      <header className={styles.embeddingHead}>
        <h3 className={styles.model}>{embedding.model}</h3>
        <Badge tone={tone} icon={icon}>
          {word}
        </Badge>
        <Digest value={embedding.model_digest} what={`the digest of ${embedding.model}`} />
        <RunLink slug={slug} embedding={embedding} />
      </header>
      <ShardBar embedding={embedding} />
      <Counts embedding={embedding} />
      {embedding.error && embedding.refused === 0 && <p className={styles.failure}>{embedding.error}</p>}
      {embedding.refused > 0 && (
        <div className={styles.refusedShards}>
          <h4 className={styles.subtitle}>{plural(embedding.refused, 'refused shard')}</h4>
          <ShardTable corpusId={corpus.id} embedding={embedding} state="refused" />
        </div>
      )}
      <Disclosure tone="accent" summary="Shard by shard">
        <ShardTable corpusId={corpus.id} embedding={embedding} />
      </Disclosure>
    </section>
  )
}

function RunLink({ slug, embedding }: { slug: string; embedding: CorpusEmbedding }) {
  return (
    <Link to="/projects/$slug/walk/runs/$runId" params={{ slug, runId: embedding.run }} className={styles.run}>
      {embedding.finished_at && !isLive(embedding) ? (
        <>
          Run, <RelativeTime at={embedding.finished_at} />
        </>
      ) : (
        'Watch the run'
      )}
    </Link>
  )
}

/** Pictures with a vector, and what was left out by its reason, the commonest first. */
function Counts({ embedding: { n_done, n_skipped, dropped } }: { embedding: CorpusEmbedding }) {
  const reasons = Object.entries(dropped).sort(([, a], [, b]) => b - a)
  return (
    <p>
      {plural(n_done, 'picture has', 'pictures have')} a vector
      {n_skipped > 0 && `, ${formatCount(n_skipped)} left out`}
      {reasons.length > 0 && `: ${reasons.map(([code, n]) => `${formatCount(n)} ${reasonWords(code)}`).join(', ')}`}.
    </p>
  )
}

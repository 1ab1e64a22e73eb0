import { Digest } from '@/components/ui/digest'
import { Facts } from '@/components/ui/facts'
import { LinkButton } from '@/components/ui/link-button'
import { RelativeTime } from '@/components/ui/relative-time'
import type { Project } from '@/lib/api/contract'
import type { Corpus } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { isEmbedded, isLive, layoutWords } from '../state/embedding-looks'
import styles from './corpora-page.module.css'
import { EmbeddingView } from './embedding-view'

export interface CorpusViewProps {
  project: Project
  corpus: Corpus
  /** Whether embedding it is the one thing to do now. */
  isNext: boolean
}

/** One registered corpus: what it is, and how far each model is through it. */
export function CorpusView({ project, corpus, isNext }: CorpusViewProps) {
  const { slug } = project
  const verb = isEmbedded(corpus) ? 'Embed again' : 'Embed'
  return (
    <section className={styles.corpus} aria-label={corpus.name}>
      <header className={styles.head}>
        <h2 className={styles.title}>{corpus.name}</h2>
        {project.role === 'curator' && !corpus.embeddings.some(isLive) && (
          <LinkButton
            to="/projects/$slug/walk"
            params={{ slug }}
            search={{ start: 'embed_corpus', corpus: corpus.name }}
            variant={isNext ? 'primary' : 'secondary'}
            size="small"
            aria-label={`${verb} ${corpus.name}`}
          >
            {verb}
          </LinkButton>
        )}
      </header>
      <div className={styles.columns}>
        <CorpusFacts corpus={corpus} />
        <div className={styles.embeddings}>
          {corpus.embeddings.length === 0 && (
            <p className={styles.quiet}>No model has been through it yet, so nothing can be retrieved from it.</p>
          )}
          {corpus.embeddings.map((embedding) => (
            <EmbeddingView key={embedding.run} slug={slug} corpus={corpus} embedding={embedding} />
          ))}
        </div>
      </div>
    </section>
  )
}

function CorpusFacts({ corpus }: { corpus: Corpus }) {
  const pairs = corpus.n_pairs === null ? 'Counted once every shard is read' : formatCount(corpus.n_pairs)
  return (
    <Facts
      facts={[
        { name: 'Layout', value: layoutWords(corpus.layout) },
        { name: 'Pictures', value: pairs },
        { name: 'Shards', value: formatCount(corpus.n_shards) },
        { name: 'Licence', value: corpus.licence || 'Not said' },
        { name: 'Source', value: corpus.source && <bdi>{corpus.source}</bdi> },
        { name: 'Folder', value: corpus.folder && <bdi>{corpus.folder}</bdi> },
        { name: 'Digest', value: <Digest value={corpus.digest} what={`the digest of ${corpus.name}`} /> },
        { name: 'Notes', value: corpus.notes && <bdi>{corpus.notes}</bdi> },
        { name: 'Registered', value: <RelativeTime at={corpus.created_at} /> },
      ]}
    />
  )
}

import { Digest } from '@/components/ui/digest'
import { Facts } from '@/components/ui/facts'
import { LinkButton } from '@/components/ui/link-button'
import { RelativeTime } from '@/components/ui/relative-time'
import type { Project } from '@/lib/api/contract'
import type { Corpus } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/corpora'
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
  const verb = isEmbedded(corpus) ? t.embedAgain : t.embed
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
          {corpus.embeddings.length === 0 && <p className={styles.quiet}>{t.noModelYet}</p>}
          {corpus.embeddings.map((embedding) => (
            <EmbeddingView key={embedding.run} slug={slug} corpus={corpus} embedding={embedding} />
          ))}
        </div>
      </div>
    </section>
  )
}

function CorpusFacts({ corpus }: { corpus: Corpus }) {
  const pairs = corpus.n_pairs === null ? t.countedLater : formatCount(corpus.n_pairs)
  return (
    <Facts
      facts={[
        { name: t.layout, value: layoutWords(corpus.layout) },
        { name: t.pictures, value: pairs },
        { name: t.shards, value: formatCount(corpus.n_shards) },
        { name: t.licence, value: corpus.licence || t.notSaid },
        { name: t.source, value: corpus.source && <bdi>{corpus.source}</bdi> },
        { name: t.folder, value: corpus.folder && <bdi title={corpus.folder}>{corpus.folder.split('/').at(-1)}</bdi> },
        { name: t.digest, value: <Digest value={corpus.digest} what={t.digestOfCorpus({ name: corpus.name })} /> },
        { name: t.notes, value: corpus.notes && <bdi>{corpus.notes}</bdi> },
        { name: t.registered, value: <RelativeTime at={corpus.created_at} /> },
      ]}
    />
  )
}

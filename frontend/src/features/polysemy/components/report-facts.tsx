import { Digest } from '@/components/ui/digest'
import { Disclosure } from '@/components/ui/disclosure'
import { Facts } from '@/components/ui/facts'
import { Notes } from '@/components/ui/notes'
import type { CorpusCurves, PolysemyReport } from '@/lib/api/served'
import { formatCount, plural } from '@/lib/format/numbers'
import { isOver } from '../api/get-reports'
import styles from './polysemy-page.module.css'

/** What the curves hang on, for whoever wants to draw them again. */
export function ReportFacts({ report }: { report: PolysemyReport }) {
  return (
    <Disclosure summary="How it was made" className={styles.facts}>
      <Facts
        facts={[
          { name: 'Queries', value: `${formatCount(report.queries)} at most from each corpus` },
          { name: 'Seed', value: String(report.seed) },
        ]}
      />
      {report.corpora.map((corpus) => (
        <section key={corpus.corpus}>
          <h3 className={styles.corpus}>{corpus.corpus}</h3>
          <Facts facts={factsOf(corpus)} />
        </section>
      ))}
    </Disclosure>
  )
}

const factsOf = (corpus: CorpusCurves) => [
  { name: 'Pictures', value: formatCount(corpus.n_pictures) },
  { name: 'Queries', value: formatCount(corpus.n_queries) },
  { name: 'Neighbours by', value: corpus.index === 'exact' ? 'exact search' : `index (${corpus.index})` },
  { name: 'Image model', value: corpus.model },
  {
    name: 'Image weights',
    value: <Digest value={corpus.model_digest} what={`the digest of ${corpus.model}`} />,
  },
  { name: 'CLIP', value: corpus.clip },
  { name: 'CLIP weights', value: <Digest value={corpus.clip_digest} what={`the digest of ${corpus.clip}`} /> },
  { name: 'Vectors', value: <Digest value={corpus.vectors_digest} what={`the digest of the vectors`} /> },
]

/** What a reader of the curves must know before believing them. */
export function ReportNotes({ report }: { report: PolysemyReport }) {
  const notes = [
    !isOver(report) && `The run is under way: ${plural(report.corpora.length, 'corpus', 'corpora')} measured so far.`,
    isOver(report) && report.status !== 'succeeded' && 'The run did not finish: corpora may be missing.',
    ...report.corpora.map(
      ({ corpus, n_unreadable }) =>
        n_unreadable > 0 && `${plural(n_unreadable, 'picture')} drawn from ${corpus} could no longer be read.`,
    ),
  ]
  return <Notes notes={notes} className={styles.notes} />
}

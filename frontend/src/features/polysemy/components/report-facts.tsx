import { Digest } from '@/components/ui/digest'
import { Disclosure } from '@/components/ui/disclosure'
import { Facts } from '@/components/ui/facts'
import { Notes } from '@/components/ui/notes'
import type { CorpusCurves, PolysemyReport } from '@/lib/api/served'
import { formatCount } from '@/lib/format/numbers'
import { t } from '@/messages/polysemy'
import { isOver } from '../api/get-reports'
import styles from './polysemy-page.module.css'

/** What the curves hang on, for whoever wants to draw them again. */
export function ReportFacts({ report }: { report: PolysemyReport }) {
  return (
    <Disclosure summary={t.howMade} className={styles.facts}>
      <Facts
        facts={[
          { name: t.queries, value: t.atMost({ queries: formatCount(report.queries) }) },
          { name: t.seed, value: String(report.seed) },
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
  { name: t.pictures, value: formatCount(corpus.n_pictures) },
  { name: t.queries, value: formatCount(corpus.n_queries) },
  { name: t.neighboursBy, value: corpus.index === 'exact' ? t.exactSearch : t.indexOf({ index: corpus.index }) },
  { name: t.imageModel, value: corpus.model },
  {
    name: t.imageWeights,
    value: <Digest value={corpus.model_digest} what={t.digestOfModel({ model: corpus.model })} />,
  },
  { name: 'CLIP', value: corpus.clip },
  { name: t.clipWeights, value: <Digest value={corpus.clip_digest} what={t.digestOfClip({ clip: corpus.clip })} /> },
  { name: t.vectors, value: <Digest value={corpus.vectors_digest} what={t.digestOfVectors} /> },
]

/** What a reader of the curves must know before believing them. */
export function ReportNotes({ report }: { report: PolysemyReport }) {
  const notes = [
    !isOver(report) && t.underWay({ n: report.corpora.length }),
    isOver(report) && report.status !== 'succeeded' && t.notFinished,
    ...report.corpora.map(
      ({ corpus, n_unreadable }) => n_unreadable > 0 && t.unreadable({ nUnreadable: n_unreadable, corpus }),
    ),
  ]
  return <Notes notes={notes} className={styles.notes} />
}

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from '@/components/ui/cx'
import { EditedCaption } from '@/components/ui/edited-caption'
import { Skeleton } from '@/components/ui/skeleton'
import type { CatalogueImage, Example, Run } from '@/lib/api/served'
import { sourceName } from '@/lib/candidates/source-name'
import { findChanges } from '@/lib/judging/find-edits'
import { t } from '@/messages/run-counts'
import { useRuleSamples, useSampleCaptions, useSampleImages } from '../api/get-samples'
import { hasStageSamples, nearDuplicates, useStageSamples } from '../api/get-stage-samples'
import { wordsOfCount } from '../state/count-words'
import { readCounts } from '../state/run-counts'
import { reasonWords } from '../state/run-looks'
import styles from './run-samples.module.css'

const nRules = 3
const ofRule = 2
const nImages = 4
const prefix = 'repaired_'
const bringsCaptions = ['import_candidates', 'retrieve', 'web_titles']

export const hasSamples = ({ stage, status, counts }: Run): boolean =>
  status === 'succeeded' &&
  Boolean(counts.in) &&
  (stage === 'clean' || stage === 'import_images' || bringsCaptions.includes(stage) || hasStageSamples(stage))

/** Images and captions that the stage took, changed or removed, so that its figures can be believed. */
export function RunSamples({ slug, run }: { slug: string; run: Run }) {
  return (
    <section>
      <h2 className={styles.title}>{t.samples}</h2>
      <p className={styles.lead}>{t.samplesLead}</p>
      {run.stage === 'clean' && <Cleaned slug={slug} run={run} />}
      {run.stage === 'import_images' && <Pictures slug={slug} />}
      {bringsCaptions.includes(run.stage) && <Captions slug={slug} />}
      {hasStageSamples(run.stage) && <OfStage slug={slug} stage={run.stage} />}
      {run.stage === 'retrieve' && Boolean(run.counts.suspects) && (
        <div className={styles.part}>
          <h3 className={styles.group}>{t.samplesSuspects}</h3>
          <OfStage slug={slug} stage={nearDuplicates} />
        </div>
      )}
    </section>
  )
}

/** The commonest reasons and repairs, two captions of each. */
function Cleaned({ slug, run }: { slug: string; run: Run }) {
  const { dropped, others } = readCounts(run)
  const reasons = dropped.slice(0, nRules).map(([reason]) => reason)
  const repairs = others
    .filter(([name, n]) => name.startsWith(prefix) && n > 0)
    .sort(([, a], [, b]) => b - a)
    .slice(0, nRules)
    .map(([name]) => name.slice(prefix.length))
  const { pages, isPending } = useRuleSamples(slug, [...reasons, ...repairs])
  if (isPending) return <Skeleton label={t.samplesLoading} rows={4} />
  const removed = pages.slice(0, reasons.length)
  const repaired = pages.slice(reasons.length)
  return (
    <div className={styles.columns}>
      <Group title={t.samplesRemoved}>
        {removed.flatMap(({ rule, examples }) =>
          examples
            .slice(0, ofRule)
            .map((example) => (
              <Row
                key={example.candidate.id}
                slug={slug}
                example={example}
                words={<del className={styles.gone}>{example.candidate.raw_text}</del>}
                about={reasonWords(rule)}
              />
            )),
        )}
      </Group>
      <Group title={t.samplesChanged}>
        {repaired.flatMap(({ rule, examples }) =>
          examples
            .filter(({ candidate }) => candidate.status === 'kept')
            .slice(0, ofRule)
            .map((example) => (
              <Row
                key={`${rule} ${example.candidate.id}`}
                slug={slug}
                example={example}
                words={<Changed before={example.candidate.raw_text} after={example.candidate.text} />}
                about={wordsOfCount(prefix + rule).name}
              />
            )),
        )}
      </Group>
    </div>
  )
}

function Changed({ before, after }: { before: string; after: string }) {
  const edits = findChanges(before, after).map((change) => ({ ...change, kind: 'other' as const }))
  return <EditedCaption text={before} edits={edits} />
}

function Group({ title, children }: { title: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <div>
      <h3 className={styles.group}>{title}</h3>
      <ul className={styles.rows}>{children}</ul>
    </div>
  )
}

interface RowProps {
  slug: string
  example: Pick<Example, 'image'>
  words: ReactNode
  about: string
}

function Row({ slug, example: { image }, words, about }: RowProps) {
  return (
    <li className={styles.row}>
      <Thumb slug={slug} id={image.id} name={image.title} url={image.thumbnail.small.url} />
      <div>
        <p className={styles.words} dir="auto">
          {words}
        </p>
        <p className={styles.about}>{about}</p>
      </div>
    </li>
  )
}

function Thumb({ slug, id, name, url }: { slug: string; id: number | null; name: string; url: string }) {
  const picture = (
    <img className={styles.thumb} src={url} alt="" width={64} height={64} loading="lazy" decoding="async" />
  )
  if (id === null) return picture
  return (
    <Link
      to="/projects/$slug/images/$imageId/captions"
      params={{ slug, imageId: String(id) }}
      aria-label={t.captionsOf({ name: name || String(id) })}
    >
      {picture}
    </Link>
  )
}

/** Captions that the stage made, chose or rated. */
function OfStage({ slug, stage }: { slug: string; stage: string }) {
  const { data, isPending } = useStageSamples(slug, stage)
  if (isPending) return <Skeleton label={t.samplesLoading} rows={4} />
  return (
    <ul className={styles.columns}>
      {(data ?? []).map(({ id, image, text, about }) => (
        <li key={id} className={cx(image && styles.row)}>
          {image && <Thumb slug={slug} {...image} />}
          <div>
            <p className={styles.words} dir="auto">
              {text}
            </p>
            <p className={styles.about}>{about}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

function Pictures({ slug }: { slug: string }) {
  const { data, isPending } = useSampleImages(slug)
  if (isPending) return <Skeleton label={t.samplesLoading} rows={2} />
  return (
    <ul className={styles.strip}>
      {(data?.results ?? []).map((image) => (
        <li key={image.id}>
          <Link to="/projects/$slug/images/$imageId" params={{ slug, imageId: String(image.id) }}>
            <img src={image.thumbnail.small.url} alt={nameOf(image)} loading="lazy" decoding="async" />
          </Link>
        </li>
      ))}
    </ul>
  )
}

const nameOf = ({ title, key }: CatalogueImage): string => title || key

function Captions({ slug }: { slug: string }) {
  const { data, isPending } = useSampleImages(slug)
  const images = (data?.results ?? []).slice(0, nImages)
  const captions = useSampleCaptions(
    slug,
    images.map(({ id }) => id),
  )
  if (isPending) return <Skeleton label={t.samplesLoading} rows={4} />
  return (
    <ul className={styles.columns}>
      {images.map((image, place) => (
        <li key={image.id} className={styles.row}>
          <Thumb slug={slug} id={image.id} name={nameOf(image)} url={image.thumbnail.small.url} />
          <div>
            {(captions[place] ?? []).map((caption) => (
              <div key={caption.id}>
                <p className={styles.words} dir="auto">
                  {caption.text}
                </p>
                <p className={styles.about}>{sourceName(caption.source)}</p>
              </div>
            ))}
          </div>
        </li>
      ))}
    </ul>
  )
}

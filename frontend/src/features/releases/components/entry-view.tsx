import type { ReactNode } from 'react'
import { cx } from '@/components/ui/cx'
import { Icon } from '@/components/ui/icon'
import type { ReleaseCaption, ReleaseEntry } from '@/lib/api/served'
import { formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/releases'
import { difficultyNames, lensNames } from '../names'
import styles from './entry-view.module.css'

interface EntryViewProps {
  entry: ReleaseEntry
  /** Captions that do not fit the filter step back. */
  isFiltered: boolean
  /** What can be done with the image. */
  deed?: ReactNode
}

/** One photograph on its mat with the captions chosen for it. */
export function EntryView({ entry, isFiltered, deed }: EntryViewProps) {
  const { image, captions } = entry
  return (
    <article className={styles.entry}>
      <figure className={styles.figure}>
        <div className={styles.mat}>
          {image.thumbnail ? (
            <img
              src={image.thumbnail.small.url}
              srcSet={`${image.thumbnail.small.url} ${image.thumbnail.small.width}w, ${image.thumbnail.large.url} ${image.thumbnail.large.width}w`}
              sizes="(max-width: 48rem) 92vw, 24rem"
              width={image.thumbnail.large.width}
              height={image.thumbnail.large.height}
              alt={image.attribution || image.key}
              loading="lazy"
              decoding="async"
            />
          ) : (
            <span className={styles.gone} dir="auto">
              {entry.withdrawn ? t.withdrawn({ reason: entry.withdrawn.reason }) : t.pictureGone}
            </span>
          )}
        </div>
        <figcaption className={styles.attribution}>
          {creditOf(image)}, <LicenceLink licence={image.licence} />
        </figcaption>
        {deed}
      </figure>
      <div>
        <ol className={styles.captions}>
          {captions.map((caption) => (
            <li key={caption.key} className={cx(styles.caption, isFiltered && !caption.is_match && styles.other)}>
              <div>
                <p className={styles.text} dir="auto">
                  {caption.text}
                </p>
                <FacetLine caption={caption} />
              </div>
              <VoteLine caption={caption} />
            </li>
          ))}
        </ol>
        <p className={styles.similarity}>{similarityWords(entry)}</p>
      </div>
    </article>
  )
}

/** How hard it is for the models, why people found it good, and where it is from. */
function FacetLine({ caption: { difficulty, lenses, source } }: { caption: ReleaseCaption }) {
  const words = [
    ...(difficulty === 'not_asked' ? [] : [difficultyNames[difficulty]]),
    ...lenses.map((lens) => lensNames[lens]),
    source,
  ]
  return <p className={styles.facets}>{words.join(' · ')}</p>
}

/** Who made it; attributions often end with the licence, which follows as a link. */
function creditOf({ attribution, key, licence }: ReleaseEntry['image']): string {
  const credit = attribution.endsWith(licence.name) ? attribution.slice(0, -licence.name.length) : attribution
  return credit.replace(/[\s,;]+$/, '') || key
}

function LicenceLink({ licence }: { licence: ReleaseEntry['image']['licence'] }) {
  const name = licence.name || licence.code
  if (!licence.url) return <>{name}</>
  return (
    <a href={licence.url} target="_blank" rel="noreferrer">
      {name}
    </a>
  )
}

function similarityWords({ mean_similarity: mean, method }: ReleaseEntry): string {
  const figure = formatDecimal(mean, 3)
  return method === 'all' ? t.similarityAll({ mean: figure }) : t.similarityBy({ mean: figure, method })
}

function VoteLine({ caption }: { caption: ReleaseCaption }) {
  const { n_good: good, n_bad: bad, n_unsure: unsure } = caption
  return (
    <p className={styles.votes}>
      <span className="visually-hidden">{t.goodVotes({ good, bad, unsure })}</span>
      <Vote icon="check" count={good} tone={styles.good} />
      <Vote icon="cross" count={bad} tone={styles.bad} />
      <Vote icon="question" count={unsure} tone={styles.unsure} />
    </p>
  )
}

function Vote({
  icon,
  count,
  tone,
}: {
  icon: 'check' | 'cross' | 'question'
  count: number
  tone: string | undefined
}) {
  if (count === 0) return null
  return (
    <span className={tone} aria-hidden="true">
      <Icon name={icon} size={13} strokeWidth={2.2} />
      {count}
    </span>
  )
}

import { Link } from '@tanstack/react-router'
import { CaptionChoice } from '@/components/caption-choice/caption-choice'
import { Badge } from '@/components/ui/badge'
import type { SelectionRow } from '@/lib/api/served'
import { formatCount, formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/selection'
import styles from './selection-page.module.css'

const methods: Record<SelectionRow['method'], string> = {
  all: t.methodAll,
  exact: t.methodExact,
  heuristic: t.methodHeuristic,
  umap_kmeans: t.methodUmap,
  kmeans: t.methodKmeans,
  '': '',
}

/** One image with its selected captions, or with the number of good captions that it lacks. */
export function SelectedImage({ slug, row }: { slug: string; row: SelectionRow }) {
  const { image, captions } = row
  const { small } = image.thumbnail
  const name = image.title || image.key
  return (
    <li className={styles.image}>
      <Link
        to="/projects/$slug/images/$imageId"
        params={{ slug, imageId: String(image.id) }}
        className={styles.picture}
      >
        <img src={small.url} alt={name} width={small.width} height={small.height} loading="lazy" />
      </Link>
      <div className={styles.about}>
        <p className={styles.facts}>
          {row.status === 'short_pool' ? (
            <Badge tone="warning" icon="alert">
              {t.missing({ n: row.n_missing })}
            </Badge>
          ) : (
            <Badge tone="good" icon="check">
              {t.selected}
            </Badge>
          )}
          {factsOf(row).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
        {row.status === 'short_pool' && (
          <p className={styles.note}>
            {t.needsOf({ n: row.n_good, of: row.n_wanted })}{' '}
            <Link to="/projects/$slug/images/$imageId" params={{ slug, imageId: String(image.id) }}>
              {t.openImage}
            </Link>
          </p>
        )}
        {captions.length > 0 && (
          <ol className={styles.captions}>
            {captions.map(({ candidate, text, choice }) => (
              <li key={candidate} className={styles.caption}>
                <span className={styles.text} dir="auto">
                  {text}
                </span>
                <CaptionChoice slug={slug} candidate={candidate} text={text} choice={choice} mayPin />
              </li>
            ))}
          </ol>
        )}
      </div>
    </li>
  )
}

function factsOf(row: SelectionRow): string[] {
  return [
    row.status === 'short_pool' ? '' : t.goodN({ n: row.n_good }),
    methods[row.method],
    row.n_clusters === null ? '' : t.clustersN({ n: formatCount(row.n_clusters) }),
    row.stability === null ? '' : t.stabilityOf({ value: formatDecimal(row.stability, 2) }),
    row.mean_similarity === null ? '' : t.similarityOf({ value: formatDecimal(row.mean_similarity, 3) }),
  ].filter(Boolean)
}

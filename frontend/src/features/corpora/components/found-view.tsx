import { Link } from '@tanstack/react-router'
import { type KeyFigure, KeyFigures } from '@/components/ui/key-figures'
import type { Corpus } from '@/lib/api/served'
import { formatCount, formatDecimal, formatShare } from '@/lib/format/numbers'
import { t } from '@/messages/corpora'
import { useFound, useYield } from '../api/get-found'
import styles from './found-view.module.css'

/** What the corpora hold and what came of them. */
export function YieldFigures({ slug, corpora }: { slug: string; corpora: readonly Corpus[] }) {
  const { data } = useYield(slug)
  const nImages = corpora.reduce((sum, { n_pairs: n }) => sum + (n ?? 0), 0)
  const figures: KeyFigure[] = [
    ...(nImages > 0 ? [{ name: t.imagesToSearch, value: formatCount(nImages) }] : []),
    ...(data
      ? [
          { name: t.captionsFound, value: formatCount(data.nFound) },
          {
            name: t.captionsKept,
            value: formatCount(data.nKept),
            detail: data.nFound > 0 ? formatShare(data.nKept / data.nFound) : null,
          },
          { name: t.copiesToReview, value: formatCount(data.nSuspects) },
        ]
      : []),
  ]
  if (figures.length === 0) return null
  return (
    <div className={styles.figures}>
      <KeyFigures figures={figures} />
    </div>
  )
}

/** One image of the project beside the corpus images whose captions it got. */
export function FoundView({ slug }: { slug: string }) {
  const { data } = useFound(slug)
  if (!data || data.captions.length === 0) return null
  const { image, captions } = data
  const { small } = image.thumbnail
  return (
    <section className={styles.found} aria-labelledby="found">
      <header className={styles.head}>
        <h2 id="found">{t.foundForOne}</h2>
        <Link to="/projects/$slug/images/$imageId/captions" params={{ slug, imageId: String(image.id) }}>
          {t.allFound}
        </Link>
      </header>
      <ul className={styles.pictures}>
        <li className={styles.own}>
          <img src={small.url} alt={image.title || image.key} width={small.width} height={small.height} />
          <p className={styles.note}>{t.ownImage}</p>
        </li>
        {captions.map(({ id, text, similarity }) => (
          <li key={id}>
            <img
              src={`/api/v1/projects/${slug}/candidates/${id}/neighbour`}
              alt={t.corpusImage}
              width={320}
              height={213}
              loading="lazy"
            />
            <p className={styles.caption} dir="auto">
              {text}
            </p>
            {similarity !== null && <p className={styles.note}>{t.similar({ value: formatDecimal(similarity, 2) })}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}

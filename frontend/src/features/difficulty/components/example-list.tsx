import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FilterChip } from '@/components/ui/filter-chip'
import { MoreButton } from '@/components/ui/more-button'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import type { RatedCaption } from '@/lib/api/served'
import { formatDecimal } from '@/lib/format/numbers'
import { t } from '@/messages/difficulty'
import { type RatedCategory, useExamples } from '../api/get-difficulty'
import { categoryWords } from '../state/categories'
import styles from './difficulty-page.module.css'

const categories = ['hard', 'medium', 'easy', 'unrated'] as const

/** Captions of one category with their photographs, what the models say, and what people say. */
export function ExampleList({ slug }: { slug: string }) {
  const [category, setCategory] = useState<RatedCategory>('hard')
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useExamples(
    slug,
    category,
  )
  const rows = data?.pages.flatMap((page) => page.results) ?? []
  return (
    <section className={styles.section} aria-labelledby="examples">
      <h2 id="examples" className={styles.title}>
        {t.examples}
      </h2>
      <div className={styles.filter} role="group" aria-label={t.examplesOf}>
        {categories.map((each) => (
          <FilterChip key={each} isOn={each === category} onPress={() => setCategory(each)}>
            {categoryWords[each]}
          </FilterChip>
        ))}
      </div>
      {isPending && <Skeleton label={t.theExamples} rows={3} />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && rows.length === 0 && <p className={styles.note}>{t.noExamples}</p>}
      <ul className={styles.examples}>
        {rows.map((row) => (
          <Example key={row.id} slug={slug} row={row} />
        ))}
      </ul>
      <MoreButton {...{ hasNextPage, isFetchingNextPage, fetchNextPage }}>{t.moreExamples}</MoreButton>
    </section>
  )
}

function Example({ slug, row: { image, text, votes, people, n_votes: yes } }: { slug: string; row: RatedCaption }) {
  const { small } = image.thumbnail
  return (
    <li className={styles.example}>
      <Link to="/projects/$slug/images/$imageId" params={{ slug, imageId: String(image.id) }} className={styles.mat}>
        <img
          src={small.url}
          width={small.width}
          height={small.height}
          alt={t.imageOf({ key: image.key })}
          loading="lazy"
        />
      </Link>
      <p className={styles.caption}>{text}</p>
      <p className={styles.said} title={scoresOf(votes)}>
        {yes === null ? t.noScores : t.modelsMatch({ yes, n: votes.length })}
      </p>
      {people && (
        <p className={styles.said}>{t.people({ good: people.n_good, bad: people.n_bad, unsure: people.n_unsure })}</p>
      )}
    </li>
  )
}

const scoresOf = (votes: RatedCaption['votes']): string =>
  votes
    .map(({ model, score, threshold }) =>
      score === null ? model : `${model} ${formatDecimal(score, 4)} (${formatDecimal(threshold, 4)})`,
    )
    .join('\n')

import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { t } from '@/messages/past-work'
import { usePastHit } from '../api/get-past-work'
import { oneClosing } from '../closing'
import { PastItems } from './past-items'
import styles from './past-work-page.module.css'
import { Closed, countOf, Sent } from './sent-words'

export interface PastDetailProps {
  slug: string
  assignmentId: string
  at: number | undefined
}

/** The task that is chosen in the list: its picture, each answer with its feedback, and the way to change it. */
export function PastDetail({ slug, assignmentId, at }: PastDetailProps) {
  const { data: hit, error, isPending, refetch } = usePastHit(slug, assignmentId)
  const picture = hit?.image?.thumbnail.large
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What is read scrolls by keyboard, too.
    <div className={styles.detail} role="group" aria-label={t.pageTitle} tabIndex={0}>
      {isPending && <Skeleton label={t.thePage} rows={5} />}
      {error && !hit && <ErrorState error={error} title={t.pageNotShown} onRetry={() => void refetch()} />}
      {picture && <img src={picture.url} alt={t.photograph} width={picture.width} height={picture.height} />}
      {hit && (
        <>
          <header className={styles.header}>
            <h2 className={hit.query ? styles.query : undefined}>{hit.query?.text ?? countOf(hit)}</h2>
            <p>
              <Sent hit={hit} />
            </p>
            <Closed hit={hit} />
          </header>
          <PastItems slug={slug} hit={hit} at={at} isSaidAbove={oneClosing(hit.items) !== null} />
        </>
      )}
    </div>
  )
}

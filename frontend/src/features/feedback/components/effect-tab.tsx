import { useMemo } from 'react'
import { EffectChart } from '@/components/feedback-effect/effect-chart'
import { LinkButton } from '@/components/ui/link-button'
import { MoreButton } from '@/components/ui/more-button'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { WhatComes } from '@/components/ui/what-comes'
import { t } from '@/messages/remarks'
import { useEffectOfFeedback } from '../api/get-effect'
import styles from './remarks.module.css'

/** What feedback changed: the answers of each person before and after it, of all people or of one. */
export function EffectTab({ slug, annotator }: { slug: string; annotator: number | null }) {
  const { data, error, isPending, refetch, ...pages } = useEffectOfFeedback(slug, annotator)
  const effects = useMemo(() => data?.pages.flatMap((page) => page.results) ?? [], [data])
  if (isPending) return <Skeleton label={t.effect} rows={4} />
  if (!data) return <ErrorState error={error} title={t.effectNotShown} onRetry={() => void refetch()} />
  if (effects.length === 0) {
    const toReview = (
      <LinkButton to="/projects/$slug/review" params={{ slug }} variant="primary">
        {t.openReview}
      </LinkButton>
    )
    return (
      <WhatComes
        title={t.noEffect}
        lead={t.noEffectHint}
        things={[
          { icon: 'chevronLeft', title: t.comesBefore, words: t.comesBeforeWords },
          { icon: 'chevronRight', title: t.comesAfter, words: t.comesAfterWords },
          { icon: 'search', title: t.comesDifference, words: t.comesDifferenceWords },
        ]}
        action={toReview}
      />
    )
  }
  return (
    <section className={styles.wide} aria-label={t.effect}>
      <EffectChart effects={effects} namesPeople={annotator === null} />
      <MoreButton {...pages}>{t.moreEffects}</MoreButton>
    </section>
  )
}

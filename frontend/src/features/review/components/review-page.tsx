import { useCallback, useRef } from 'react'
import { cx } from '@/components/ui/cx'
import type { Project } from '@/lib/api/contract'
import { formatCount } from '@/lib/format/numbers'
import { useOpenInView } from '@/lib/layout/use-open-in-view'
import { useReviewCounts } from '@/lib/review/get-review-counts'
import { usePageTitle } from '@/lib/use-page-title'
import { t } from '@/messages/review'
import { asReviewSearch, type ReviewSearch, type View, views } from '../state/search'
import { DisputesView } from './disputes-view'
import { GateView } from './gate-view'
import { HeadsView } from './heads-view'
import { type Change, QueueView } from './queue-view'
import styles from './review-page.module.css'
import { RulesView } from './rules-view'

const viewWords: Readonly<Record<View, string>> = {
  queue: t.queue,
  disputes: t.disputes,
  gate: t.gate,
  heads: t.heads,
  rules: t.rules,
}

export interface ReviewPageProps {
  project: Project
  /** The filters in the address. */
  typed: Readonly<Record<string, unknown>>
  onSearch: (search: ReviewSearch) => void
}

/** The home of a head annotator: what waits for a decision, what is disputed, who waits, and by which rules. */
export function ReviewPage({ project, typed, onSearch }: ReviewPageProps) {
  usePageTitle(t.review)
  const search = asReviewSearch(typed)
  const { view: open = 'queue' } = search
  const counts = useReviewCounts(project.slug)
  const nOf: Partial<Record<View, number | undefined>> = {
    queue: counts?.open,
    disputes: counts?.disputes,
    gate: counts?.waiting_at_gate,
  }
  const line = useRef<HTMLElement>(null)
  useOpenInView(line, open)
  const written = JSON.stringify(search)
  const change: Change = useCallback(
    (changes) => onSearch(asReviewSearch({ ...(JSON.parse(written) as ReviewSearch), ...changes })),
    [onSearch, written],
  )
  return (
    <main className={cx(styles.page, open === 'queue' && styles.filled)}>
      <h1 className="visually-hidden">{t.review}</h1>
      <nav ref={line} className={styles.views} aria-label={t.views} data-case={search.case}>
        {views.map((view) => (
          <button
            key={view}
            type="button"
            className={styles.view}
            aria-current={view === open ? 'page' : undefined}
            onClick={() => onSearch(asReviewSearch({ view }))}
          >
            {viewWords[view]}
            {(nOf[view] ?? 0) > 0 && <span className={styles.n}>{formatCount(nOf[view] ?? 0)}</span>}
          </button>
        ))}
      </nav>
      {open === 'queue' && <QueueView project={project} search={search} onSearch={change} />}
      {open === 'disputes' && <DisputesView slug={project.slug} search={search} onSearch={change} />}
      {open === 'gate' && <GateView slug={project.slug} onSearch={change} />}
      {open === 'heads' && <HeadsView slug={project.slug} onSearch={change} />}
      {open === 'rules' && <RulesView slug={project.slug} />}
    </main>
  )
}

import { useEffect, useRef } from 'react'
import { Badge, LabelBadge } from '@/components/ui/badge'
import { cx } from '@/components/ui/cx'
import { Icon } from '@/components/ui/icon'
import { t } from '@/messages/review'
import type { Detail } from '../api/shapes'
import { isAllChecked, ownLabel, type PageState } from '../state/page'
import styles from './page-list.module.css'

export interface PageListProps {
  detail: Detail
  page: PageState
  onGo: (at: number) => void
}

/** The pairs of one annotator's task in a line each; the current one is large below. */
export function PageList({ detail, page, onGo }: PageListProps) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [page.at])
  const isOfImages = detail.query !== null
  return (
    <>
      <ol ref={list} className={styles.pairs} aria-label={isOfImages ? t.pairsOfImages : t.pairs}>
        {detail.pairs.map((pair, at) => {
          const own = ownLabel(pair, detail.annotator?.id)
          const correction = page.corrections[pair.candidate]
          const isChecked = page.checked.includes(pair.candidate)
          return (
            <li key={pair.candidate}>
              <button
                type="button"
                className={cx(styles.pair, at === page.at && styles.open)}
                aria-current={at === page.at || undefined}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onGo(at)}
              >
                <span className={styles.check}>
                  {isChecked && (
                    <>
                      <Icon name="check" size={14} strokeWidth={2.2} />
                      <span className="visually-hidden">{t.looked}</span>
                    </>
                  )}
                </span>
                {isOfImages ? (
                  <img className={styles.thumb} src={pair.image.thumbnail.small.url} alt={t.theImage} />
                ) : (
                  <span className={styles.text} lang="en" dir="auto">
                    {pair.text}
                  </span>
                )}
                {pair.is_control && <Badge tone="accent">{t.isControl}</Badge>}
                {own && <LabelBadge label={own} />}
                {correction && (
                  <>
                    <Icon name="chevronRight" size={12} />
                    <LabelBadge label={correction.label} />
                  </>
                )}
              </button>
            </li>
          )
        })}
      </ol>
      {isAllChecked(detail, page) && <p className={styles.done}>{t.looksDone}</p>}
    </>
  )
}

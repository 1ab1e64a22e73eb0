import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { ActiveRow } from '@/components/ui/active-row'
import { cx } from '@/components/ui/cx'
import { RelativeTime } from '@/components/ui/relative-time'
import type { Remark } from '@/lib/api/served'
import { useActiveRow } from '@/lib/layout/use-active-row'
import { t } from '@/messages/inbox'
import { useMarkSeen } from '../api/mark-seen'
import styles from './inbox-panes.module.css'
import cards from './inbox.module.css'
import { RemarkCard } from './remark-card'
import { RemarkKeys } from './remark-keys'
import { useTalk } from './use-talk'

export interface InboxPanesProps {
  slug: string
  remarks: readonly Remark[]
  /** The remark that a link leads to. */
  asked: number | undefined
  more: ReactNode
}

/** A line for each remark at the left; the one that is chosen stands beside them with its picture and its talk. */
export function InboxPanes({ slug, remarks, asked, more }: InboxPanesProps) {
  const list = useRef<HTMLOListElement>(null)
  const shown = useRef<HTMLOListElement>(null)
  const { active, move, goTo } = useActiveRow({ list, ids: remarks.map(({ id }) => id) })
  const talk = useTalk(slug)
  const current = remarks[active]
  useMarkSeen(
    slug,
    shown,
    useMemo(() => (current ? [current] : []), [current]),
  )
  const openAsked = useEffectEvent(() => {
    const index = remarks.findIndex(({ id }) => id === asked)
    if (index > 0) goTo(index)
  })
  useEffect(() => openAsked(), [])
  if (!current) return null
  return (
    <div className={styles.panes}>
      <RemarkKeys remark={current} talk={talk} onMove={move} />
      <div>
        <ol ref={list} className={styles.lines} aria-label={t.allFeedback}>
          {remarks.map((remark, index) => (
            <Line key={remark.id} remark={remark} index={index} isOpen={index === active} onOpen={() => goTo(index)} />
          ))}
        </ol>
        {more}
      </div>
      <ol ref={shown} className={cx(cards.list, styles.shown)}>
        <RemarkCard key={current.id} slug={slug} remark={current} index={0} isActive {...talk.of(current)} />
      </ol>
    </div>
  )
}

interface LineProps {
  remark: Remark
  index: number
  isOpen: boolean
  onOpen: () => void
}

function Line({ remark, index, isOpen, onOpen }: LineProps) {
  const { written_by: by, created_at: at, text, state, is_unread: isNew, rows } = remark
  const [first] = rows
  const picture = first?.image ?? first?.item.image
  return (
    <ActiveRow className={styles.line} index={index} isActive={isOpen}>
      {picture && <img src={picture.thumbnail.small.url} alt="" loading="lazy" />}
      <div className={styles.words}>
        <p className={styles.who}>
          <button type="button" className={styles.open} aria-current={isOpen || undefined} onClick={onOpen}>
            {by.name}
          </button>
          {isNew && (
            <span className={styles.mark}>
              <span className="visually-hidden">{t.notRead}</span>
            </span>
          )}
          <RelativeTime at={at} />
        </p>
        <p className={styles.text} dir="auto">
          {state === 'withdrawn' ? t.isWithdrawn : text}
        </p>
      </div>
    </ActiveRow>
  )
}

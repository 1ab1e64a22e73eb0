import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useActions } from '@/lib/actions/action-context'
import type { PastHit } from '@/lib/api/served'
import { useActiveRow } from '@/lib/layout/use-active-row'
import { pastWorkActions } from '../actions'
import { useTaskFeedback } from '../api/get-task-feedback'
import styles from './past-hit-page.module.css'
import { PastItemView } from './past-item'

export interface PastItemsProps {
  slug: string
  hit: PastHit
  /** The position that is asked about, where a remark leads here. */
  at: number | undefined
  isSaidAbove: boolean
  /** Leaves the task, by Esc; where the list stands beside it there is nothing to leave. */
  onLeave?: () => void
}

/** The items of a submitted task, each with its answer, the feedback about it, and the way to change it. */
export function PastItems({ slug, hit, at, isSaidAbove, onLeave }: PastItemsProps) {
  const list = useRef<HTMLOListElement>(null)
  const asked = hit.items.findIndex((item) => item.position === at)
  const { active, move, goTo } = useActiveRow({ list, ids: hit.items.map(({ position }) => position) })
  const [open, setOpen] = useState<number | null>(null)
  const remarks = useTaskFeedback(slug, hit.id)
  const openAt = useEffectEvent(() => {
    if (asked >= 0) goTo(asked)
  })
  useEffect(() => openAt(), [])
  useActions(pastWorkActions, {
    'past.next': () => move(1),
    'past.previous': () => move(-1),
    'past.change': { when: () => hit.items[active]?.closed === null, perform: () => setOpen(active) },
    'past.list': { when: () => onLeave !== undefined, perform: () => onLeave?.() },
  })
  return (
    <ol ref={list} className={hit.query ? styles.grid : styles.list}>
      {hit.items.map((item, index) => (
        <PastItemView
          key={item.position}
          slug={slug}
          assignmentId={hit.id}
          item={item}
          remarks={remarks.filter(({ rows }) =>
            rows.some((row) => row.assignment === hit.id && row.item.position === item.position),
          )}
          index={index}
          isActive={index === active}
          isOpen={index === open}
          isSaidAbove={isSaidAbove}
          onOpen={(opens) => setOpen(opens ? index : null)}
        />
      ))}
    </ol>
  )
}

import { useRef } from 'react'
import { ActiveRow } from '@/components/ui/active-row'
import { Badge, LabelBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { EditedCaption } from '@/components/ui/edited-caption'
import { useAction } from '@/lib/actions/action-context'
import { ariaShortcuts } from '@/lib/actions/keys'
import type { PastItem, Remark } from '@/lib/api/served'
import { dayOf } from '@/lib/format/time'
import { lensName } from '@/lib/judging/annotation-words'
import { useFocusHere } from '@/lib/layout/use-focus-here'
import { t } from '@/messages/past-work'
import { ItemFeedback } from './item-feedback'
import styles from './past-item.module.css'
import { ReviseForm } from './revise-form'

export interface PastItemProps {
  slug: string
  assignmentId: string
  item: PastItem
  /** Feedback about the answer to it. */
  remarks: readonly Remark[]
  index: number
  isActive: boolean
  isOpen: boolean
  /** The page says already by whom it is closed. */
  isSaidAbove: boolean
  onOpen: (opens: boolean) => void
}

/** One item as it stood, with what the person says of it today. */
export function PastItemView(props: PastItemProps) {
  const { slug, assignmentId, item, remarks, index, isActive, isOpen, isSaidAbove, onOpen } = props
  const place = useRef<HTMLDivElement>(null)
  useFocusHere(place, isOpen)
  return (
    <ActiveRow className={styles.item} index={index} isActive={isActive}>
      {item.image && <Picture item={item} />}
      {item.text !== null && (
        <p className={styles.text} lang="en" dir="auto">
          <EditedCaption text={item.text} edits={item.edits} />
        </p>
      )}
      <div ref={place}>
        {isOpen ? (
          <ReviseForm slug={slug} assignmentId={assignmentId} item={item} onClose={() => onOpen(false)} />
        ) : (
          <div className={styles.line}>
            <Said item={item} />
            {!item.closed && <ChangeButton isActive={isActive} onPress={() => onOpen(true)} />}
            {item.closed && !isSaidAbove && (
              <p className={styles.note}>{t.closed({ name: item.closed.by, day: dayOf(item.closed.on) })}</p>
            )}
          </div>
        )}
      </div>
      <ItemFeedback slug={slug} remarks={remarks} />
    </ActiveRow>
  )
}

function Picture({ item: { image } }: { item: PastItem }) {
  if (!image) return null
  const { url, width, height } = image.thumbnail.small
  return <img className={styles.picture} src={url} alt={t.judgedPicture} width={width} height={height} />
}

function Said({ item }: { item: PastItem }) {
  return (
    <div className={styles.said}>
      {item.label && <LabelBadge label={item.label} />}
      {item.lens && <Badge tone="accent">{lensName(item.lens)}</Badge>}
      {item.is_generic && <Badge>{t.tooGeneric}</Badge>}
      {item.edits.length > 0 && <Badge tone="accent">{t.edited}</Badge>}
      {item.comment && (
        <p className={styles.comment} dir="auto">
          {item.comment}
        </p>
      )}
    </div>
  )
}

function ChangeButton({ isActive, onPress }: { isActive: boolean; onPress: () => void }) {
  const { label, keys } = useAction('past.change') ?? { label: '', keys: [] }
  return (
    <Button
      size="small"
      variant="quiet"
      shortcut={keys[0]}
      isShortcutIdle={!isActive}
      keyShortcuts={isActive ? ariaShortcuts(keys) : undefined}
      className={styles.change ?? ''}
      onPress={onPress}
    >
      {label}
    </Button>
  )
}

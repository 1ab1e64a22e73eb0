import type { KeyboardEvent, SubmitEvent } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { KeyCap } from '@/components/ui/key-cap'
import { useLabelLooks } from '@/components/ui/label-looks'
import { NotNow } from '@/components/ui/not-now'
import { TextField } from '@/components/ui/text-field'
import { type Lens, lenses } from '@/lib/judging/annotation-words'
import { longestComment } from '@/lib/judging/limits'
import { t } from '@/messages/annotate'
import styles from './desk-dialogs.module.css'

export interface LensDialogProps {
  /** The lens it has, if any. */
  lens: Lens | ''
  isGood: boolean
  onChoose: (lens: Lens | '') => void
  onClose: () => void
}

/** In which way a caption is good; each lens answers to its first letter. */
export function LensDialog({ lens, isGood, onChoose, onClose }: LensDialogProps) {
  const { good } = useLabelLooks()
  const choose = (chosen: Lens | '') => {
    onClose()
    onChoose(chosen)
  }
  const handleKeys = (event: KeyboardEvent) => {
    const found = lenses.find(({ name }) => name.charAt(0).toLowerCase() === event.key.toLowerCase())
    if (!found || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    choose(found.lens)
  }
  return (
    <Dialog title={t.whichWay} isOpen onClose={onClose}>
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions -- letters choose from any of its buttons. */}
      <div className={styles.lenses} onKeyDown={handleKeys}>
        {!isGood && <p className={styles.note}>{t.lensJudgesGood({ label: good.word })}</p>}
        {lenses.map(({ lens: each, name, meaning }, place) => (
          <button
            key={each}
            ref={place === 0 ? focusFirst : null}
            type="button"
            className={styles.lens}
            aria-pressed={each === lens}
            aria-keyshortcuts={name.charAt(0).toLowerCase()}
            onClick={() => choose(each)}
          >
            <KeyCap keyName={name.charAt(0)} />
            <span>
              <strong>{name}</strong>
              <small>{meaning}</small>
            </span>
          </button>
        ))}
        {lens && (
          <Button size="small" variant="quiet" onPress={() => choose('')}>
            {t.takeLensAway}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

const focusFirst = (button: HTMLButtonElement | null) => button?.focus()

export interface CommentDialogProps {
  /** What stands in the field; it is kept by the one above, so that closing loses nothing. */
  comment: string
  onWrite: (comment: string) => void
  onSave: (comment: string) => void
  onClose: () => void
}

const commentForm = 'comment-form'

export function CommentDialog({ comment, onWrite, onSave, onClose }: CommentDialogProps) {
  const save = (event?: SubmitEvent) => {
    event?.preventDefault()
    onSave(comment.trim())
  }
  const footer = (
    <>
      <NotNow onPress={onClose} />
      <Button type="submit" form={commentForm} variant="primary">
        {t.keepComment}
      </Button>
    </>
  )
  return (
    <Dialog title={t.comment} isOpen onClose={onClose} footer={footer}>
      <form id={commentForm} onSubmit={save}>
        <TextField
          label={t.whatToKnow}
          hint={t.commentHint}
          rows={3}
          maxLength={longestComment}
          autoFocus
          value={comment}
          onChange={onWrite}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
              event.preventDefault()
              save()
            } else event.continuePropagation()
          }}
        />
      </form>
    </Dialog>
  )
}

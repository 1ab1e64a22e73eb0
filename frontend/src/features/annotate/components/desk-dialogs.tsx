import { type KeyboardEvent, type ReactNode, type SubmitEvent, useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { KeyCap } from '@/components/ui/key-cap'
import { useLabelLooks } from '@/components/ui/label-looks'
import { NotNow } from '@/components/ui/not-now'
import { TextField } from '@/components/ui/text-field'
import { type Lens, lenses } from '@/lib/judging/annotation-words'
import { longestComment } from '@/lib/judging/limits'
import { t } from '@/messages/annotate'
import styles from './desk-dialogs.module.css'

interface InPlaceProps {
  label: string
  onKey?: (event: KeyboardEvent) => void
  /** The focus went elsewhere, as by a press on another caption. */
  onLeave: () => void
  onClose: () => void
  children: ReactNode
}

/** Stands under the open pair in place of its buttons, so that picture and caption stay visible. Esc closes it. */
function InPlace({ label, onKey, onLeave, onClose, children }: InPlaceProps) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc and letters reach it from its buttons.
    <div
      role="group"
      aria-label={label}
      data-in-place=""
      className={styles.inPlace}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
        else onKey?.(event)
      }}
      onBlur={({ currentTarget, target, relatedTarget }) => {
        // In another window of the browser the work waits as it is.
        if (!currentTarget.contains(relatedTarget) && document.activeElement !== target) onLeave()
      }}
    >
      {children}
    </div>
  )
}

export interface LensChoiceProps {
  /** The lens it has, if any. */
  lens: Lens | ''
  isGood: boolean
  onChoose: (lens: Lens | '') => void
  onClose: () => void
}

/** In which way a caption is good; each lens answers to its first letter. */
export function LensChoice({ lens, isGood, onChoose, onClose }: LensChoiceProps) {
  const { good } = useLabelLooks()
  const note = useId()
  const [near, setNear] = useState<Lens | ''>(lens)
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
  const meaning = lenses.find(({ lens: each }) => each === near)?.meaning
  return (
    <InPlace label={t.whichWay} onKey={handleKeys} onLeave={onClose} onClose={onClose}>
      <div className={styles.chips}>
        {lenses.map(({ lens: each, name }, place) => (
          <button
            key={each}
            ref={place === 0 ? focusFirst : null}
            type="button"
            className={styles.lens}
            aria-pressed={each === lens}
            aria-describedby={each === near ? note : undefined}
            aria-keyshortcuts={name.charAt(0).toLowerCase()}
            onFocus={() => setNear(each)}
            onPointerEnter={() => setNear(each)}
            onClick={() => choose(each)}
          >
            {name} <KeyCap keyName={name.charAt(0)} />
          </button>
        ))}
        {lens && (
          <Button size="small" variant="quiet" onPress={() => choose('')}>
            {t.takeLensAway}
          </Button>
        )}
        <NotNow size="small" variant="quiet" onPress={onClose} />
      </div>
      <p id={note} className={styles.note}>
        {meaning} {!isGood && t.lensJudgesGood({ label: good.word })}
      </p>
    </InPlace>
  )
}

const focusFirst = (button: HTMLButtonElement | null) => button?.focus()

export interface CommentFieldProps {
  /** What stands in the field; it is kept by the one above, so that closing loses nothing. */
  comment: string
  onWrite: (comment: string) => void
  onSave: (comment: string) => void
  onClose: () => void
}

export function CommentField({ comment, onWrite, onSave, onClose }: CommentFieldProps) {
  const save = (event?: SubmitEvent) => {
    event?.preventDefault()
    onSave(comment.trim())
  }
  return (
    <InPlace label={t.comment} onLeave={save} onClose={onClose}>
      <form className={styles.comment} onSubmit={save}>
        <TextField
          label={t.whatToKnow}
          hint={t.commentHint}
          rows={2}
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
        <div className={styles.chips}>
          <Button type="submit" size="small" variant="primary">
            {t.keepComment}
          </Button>
          <NotNow size="small" onPress={onClose} />
        </div>
      </form>
    </InPlace>
  )
}

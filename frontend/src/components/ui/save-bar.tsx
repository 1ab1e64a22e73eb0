import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { ApiError } from '@/lib/api/api-error'
import { t } from '@/messages/saving'
import { Button } from './button'
import { cx } from './cx'
import { Notice } from './notice'
import styles from './save-bar.module.css'

export interface SaveBarProps {
  /** The words of the button that saves. */
  verb: string
  isChanged: boolean
  isPending: boolean
  /** Something must be decided before it can be saved. */
  isHeld?: boolean
  /** Left out where the bar stands in a form: its button submits it. */
  onSave?: () => void
  onDiscard: () => void
  /** Why the last save failed: it is said where the button is. */
  failure?: ReactNode
  /** What saving will do. */
  children?: ReactNode
}

/**
 * The one way to save settings: it comes once something is changed, stays in sight, and says what saving will do. So a
 * page of several forms shows the button of the form that waits, and no other.
 */
export function SaveBar({
  verb,
  isChanged,
  isPending,
  isHeld = false,
  onSave,
  onDiscard,
  failure,
  children,
}: SaveBarProps) {
  const bar = useRef<HTMLDivElement>(null)
  const isTyped = useIsTyped(bar, isChanged)
  const isShown = isChanged || isTyped
  // The buttons go with their focus. The next Tab goes on from the bar, not from the top of the page.
  useEffect(() => {
    if (!isShown) return
    const { current } = bar
    return () => {
      if (document.activeElement === document.body) current?.focus({ preventScroll: true })
    }
  }, [isShown])
  return (
    <div ref={bar} tabIndex={-1} className={cx(styles.bar, isShown && styles.changed)}>
      {isShown && failure && <div className={styles.failure}>{failure}</div>}
      <div className={styles.words} role="status">
        {isChanged && children}
      </div>
      {isShown && (
        <div className={styles.deeds}>
          <Button onPress={onDiscard}>{t.discard}</Button>
          <Button
            type={onSave ? 'button' : 'submit'}
            variant="primary"
            isPending={isPending}
            isDisabled={isHeld}
            onPress={onSave}
          >
            {verb}
          </Button>
        </div>
      )}
    </div>
  )
}

/** The sentence of a refused save. Those about fields stand at the fields, which may be out of sight. */
export function SaveFailure({ failure, children }: { failure: ApiError; children?: ReactNode }) {
  const isOfFields = Object.keys(failure.fieldErrors()).length > 0
  return (
    <Notice tone="bad">
      {isOfFields ? t.seeFields : failure.message} {children}
    </Notice>
  )
}

/** Whether somebody types in the form: a field of numbers says its change only when the person leaves it. */
function useIsTyped(bar: { current: HTMLElement | null }, isChanged: boolean): boolean {
  const [isTyped, setTyped] = useState(false)
  const [wasChanged, setWasChanged] = useState(isChanged)
  if (wasChanged !== isChanged) {
    setWasChanged(isChanged)
    if (!isChanged) setTyped(false)
  }
  useEffect(() => {
    const form = bar.current?.closest('form')
    const note = () => setTyped(true)
    form?.addEventListener('input', note)
    return () => form?.removeEventListener('input', note)
  }, [bar])
  return isTyped
}

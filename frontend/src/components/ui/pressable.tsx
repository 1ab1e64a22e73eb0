import type { ButtonHTMLAttributes, KeyboardEvent, Ref, SyntheticEvent } from 'react'

export interface PressableProps extends Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'onClick' | 'disabled' | 'aria-keyshortcuts'
> {
  ref?: Ref<HTMLButtonElement>
  /** The keys of its action, announced with it. */
  keyShortcuts?: string | undefined
  isDisabled?: boolean | undefined
  /** What it began is under way: it keeps the focus and does nothing. */
  isPending?: boolean | undefined
  /** Leaves the focus where it is, so that keys go on to where somebody works. */
  preventFocusOnPress?: boolean
  /** Its name and its key, for who points at it: see `TipLayer`. */
  'data-tip'?: string | undefined
  'data-tip-key'?: string | undefined
  onPress?: (() => void) | undefined
}

/**
 * A button, and no more: every page has dozens, and react-aria's weighs 14 kB before the first one is drawn. What opens
 * a menu or a file dialog of react-aria is `TriggerButton`.
 */
export function Pressable(props: PressableProps) {
  const { keyShortcuts, isDisabled, isPending, preventFocusOnPress, onPress, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      disabled={isDisabled}
      aria-disabled={isPending ? true : undefined}
      aria-keyshortcuts={keyShortcuts}
      onPointerDown={keep}
      onMouseDown={(event) => {
        keep(event)
        if (preventFocusOnPress) event.preventDefault()
      }}
      onKeyDown={(event) => presses(event) && keep(event)}
      onClick={(event) => {
        keep(event)
        if (isPending) event.preventDefault()
        else onPress?.()
      }}
    />
  )
}

/** A press of a button in a row is not a press of the row. */
const keep = (event: SyntheticEvent) => event.stopPropagation()

const presses = ({ key }: KeyboardEvent) => key === 'Enter' || key === ' '

import { Button, type ButtonProps } from '@/components/ui/button'
import { useAction } from '@/lib/actions/action-context'
import { ariaShortcuts } from '@/lib/actions/keys'

export interface RowButtonProps extends Omit<
  ButtonProps,
  'children' | 'size' | 'shortcut' | 'isShortcutIdle' | 'keyShortcuts'
> {
  /** The action that does the same to the row that the keys act on: it says the words and the key. */
  action: string
  /** Whether this is that row: the others keep the place of the key, so that nothing moves under the mouse. */
  isActive: boolean
}

/** A deed of one row among many. */
export function RowButton({ action, isActive, ...rest }: RowButtonProps) {
  const { label, keys } = useAction(action) ?? { label: '', keys: [] }
  return (
    <Button
      {...rest}
      size="small"
      shortcut={keys[0]}
      isShortcutIdle={!isActive}
      keyShortcuts={isActive ? ariaShortcuts(keys) : undefined}
    >
      {label}
    </Button>
  )
}

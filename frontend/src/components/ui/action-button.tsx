import { useAction } from '@/lib/actions/action-context'
import { ariaShortcuts } from '@/lib/actions/keys'
import { Button, type ButtonProps, IconButton, type IconButtonProps } from './button'

export interface ActionButtonProps extends Omit<ButtonProps, 'children' | 'id' | 'onPress'> {
  /** The action's name in the registry. */
  id: string
  /** Prints the key on the button. */
  showsKey?: boolean
}

/**
 * A button that is one registered action: label, key and deed come from the registry. Pressing it with a pointer
 * does not take the focus, so that Enter and Space keep meaning what they mean on the page. One that opens a dialog sets
 * `preventFocusOnPress={false}`: the focus comes back to it.
 */
export function ActionButton({ id, showsKey = false, ...rest }: ActionButtonProps) {
  const action = useAction(id)
  if (!action) return null
  return (
    <Button
      preventFocusOnPress
      {...rest}
      keyShortcuts={ariaShortcuts(action.keys)}
      data-tip={showsKey || action.keys.length === 0 ? undefined : action.name}
      data-tip-key={action.keys[0]}
      shortcut={showsKey ? action.keys[0] : undefined}
      onPress={action.perform}
    >
      {action.label}
    </Button>
  )
}

export interface ActionIconButtonProps extends Omit<IconButtonProps, 'aria-label' | 'id' | 'onPress'> {
  id: string
}

export function ActionIconButton({ id, ...rest }: ActionIconButtonProps) {
  const action = useAction(id)
  if (!action) return null
  return (
    <IconButton
      {...rest}
      preventFocusOnPress
      aria-label={action.name}
      keyShortcuts={ariaShortcuts(action.keys)}
      tipKey={action.keys[0]}
      onPress={action.perform}
    />
  )
}

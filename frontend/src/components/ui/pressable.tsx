import { Button, type ButtonProps } from 'react-aria-components'

export interface PressableProps extends ButtonProps {
  /** Announced with the button; react-aria drops aria-keyshortcuts, so it is put back on the element here. */
  keyShortcuts?: string | undefined
}

/** react-aria's button with the keys of its action. */
export function Pressable({ keyShortcuts, ...rest }: PressableProps) {
  return <Button {...rest} render={(dom) => <button {...dom} aria-keyshortcuts={keyShortcuts} />} />
}

import { t } from '@/messages/common'
import { Button, type ButtonProps } from './button'

/** The way out of a form that is not sent. */
export function NotNow(props: Omit<ButtonProps, 'children'>) {
  return <Button {...props}>{t.notNow}</Button>
}

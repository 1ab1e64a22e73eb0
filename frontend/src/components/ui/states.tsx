import type { ReactNode } from 'react'
import { asApiError } from '@/lib/api/api-error'
import { Button } from './button'
import { Icon, type IconName } from './icon'
import { LinkButton } from './link-button'
import styles from './states.module.css'

export interface EmptyStateProps {
  title: string
  /** What will be here, and what to do now. */
  children: ReactNode
  icon?: IconName
  action?: ReactNode
}

/** Teaches: what will be here, and the one thing to do now. */
export function EmptyState({ title, children, icon, action }: EmptyStateProps) {
  return (
    <section className={styles.state}>
      {icon && <Icon name={icon} size={32} strokeWidth={1.2} className={styles.icon} />}
      <h2 className={styles.title}>{title}</h2>
      <div className={styles.words}>{children}</div>
      {action}
    </section>
  )
}

export interface ErrorStateProps {
  error: unknown
  title?: string
  onRetry?: () => void
}

/** The server's own sentence, and the way on: sign in again, or try again. */
export function ErrorState({ error, title = 'This could not be shown', onRetry }: ErrorStateProps) {
  const failure = asApiError(error)
  return (
    <section className={styles.state} role="alert">
      <Icon name="alert" size={32} strokeWidth={1.2} className={styles.icon} />
      <h2 className={styles.title}>{failure.isOffline ? 'You are offline' : title}</h2>
      <p className={styles.words}>{failure.message}</p>
      {failure.isSignedOut ? (
        <LinkButton to="/sign-in" search={{ next: globalThis.location.pathname }} variant="primary">
          Sign in
        </LinkButton>
      ) : (
        onRetry && <Button onPress={onRetry}>Try again</Button>
      )}
      {failure.requestId && <p className={styles.trace}>Request {failure.requestId}</p>}
    </section>
  )
}

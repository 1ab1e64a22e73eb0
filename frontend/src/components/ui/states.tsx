import type { ReactNode } from 'react'
import { asApiError } from '@/lib/api/api-error'
import { usePageTitle } from '@/lib/use-page-title'
import { t } from '@/messages/common'
import { Button } from './button'
import { Icon, type IconName } from './icon'
import { LinkButton } from './link-button'
import styles from './states.module.css'

export interface EmptyStateProps {
  title: string
  /** When it is all there is on the page, its title is the page's heading. */
  isPage?: boolean
  /** What will be here, and what to do now. */
  children: ReactNode
  icon?: IconName
  action?: ReactNode
}

/** Teaches: what will be here, and the one thing to do now. */
export function EmptyState({ title, isPage = false, children, icon, action }: EmptyStateProps) {
  usePageTitle(isPage ? title : null)
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <section className={styles.state}>
      {icon && <Icon name={icon} size={32} strokeWidth={1.2} className={styles.icon} />}
      <Heading className={styles.title}>{title}</Heading>
      <div className={styles.words}>{children}</div>
      {action}
    </section>
  )
}

export interface ErrorStateProps {
  error: unknown
  title?: string
  isPage?: boolean
  onRetry?: () => void
}

/** The server's own sentence, and the way on: sign in again, or try again. */
export function ErrorState({ error, title = t.notShown, isPage = false, onRetry }: ErrorStateProps) {
  usePageTitle(isPage ? title : null)
  const Heading = isPage ? 'h1' : 'h2'
  const failure = asApiError(error)
  return (
    <section className={styles.state} role="alert">
      <Icon name="alert" size={32} strokeWidth={1.2} className={styles.icon} />
      <Heading className={styles.title}>{failure.isOffline ? t.offline : title}</Heading>
      <p className={styles.words}>{failure.message}</p>
      {failure.isSignedOut ? (
        <LinkButton to="/sign-in" search={{ next: globalThis.location.pathname }} variant="primary">
          {t.signIn}
        </LinkButton>
      ) : (
        onRetry && <Button onPress={onRetry}>{t.tryAgain}</Button>
      )}
      {failure.requestId && <p className={styles.trace}>{t.request({ requestId: failure.requestId })}</p>}
    </section>
  )
}

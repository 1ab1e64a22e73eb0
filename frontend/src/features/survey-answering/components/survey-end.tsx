import type { ReactNode } from 'react'
import { ErrorState } from '@/components/ui/states'
import { asApiError } from '@/lib/api/api-error'
import { usePageTitle } from '@/lib/use-page-title'
import { t } from '@/messages/survey-answering'
import styles from './survey-end.module.css'

/** Closed, full or mistyped: the server says which. Only a passing failure is worth another try. */
export function ClosedSurvey({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const isPassing = asApiError(error).isPassing
  return (
    <main className={styles.middle}>
      <ErrorState error={error} title={t.notNow} isPage {...(isPassing && onRetry && { onRetry })} />
    </main>
  )
}

/** After the last pair, and on a later visit. */
export function Thanks({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title)
  return (
    <main className={styles.middle}>
      <div className={styles.thanks}>
        <h1 className={styles.title}>{t.thankYou}</h1>
        {children}
      </div>
    </main>
  )
}

import type { ReactNode, SyntheticEvent } from 'react'
import { Form } from 'react-aria-components'
import { asApiError } from '@/lib/api/api-error'
import { usePageTitle } from '@/lib/use-page-title'
import styles from './door.module.css'

export interface DoorProps {
  /** The name of the browser's tab. */
  tab: string
  title: string
  lead: string
  /** What the server refused; sentences about single fields are shown at the fields. */
  error: unknown
  onSubmit: () => void
  children: ReactNode
}

/** The quiet page before the house: sign in, sign up. */
export function Door({ tab, title, lead, error, onSubmit, children }: DoorProps) {
  usePageTitle(tab)
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <main className={styles.page}>
      <Form className={styles.form} onSubmit={submit}>
        <header>
          <img src="/assets/mark.svg" alt="" width={40} height={40} />
          <h1 className={styles.title}>{title}</h1>
          <p className={styles.lead}>{lead}</p>
        </header>
        {error != null && (
          <p className={styles.error} role="alert">
            {asApiError(error).message}
          </p>
        )}
        {children}
      </Form>
    </main>
  )
}

export function DoorNote({ children }: { children: ReactNode }) {
  return <p className={styles.note}>{children}</p>
}
